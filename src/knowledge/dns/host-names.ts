/**
 * Labels that hosts of organisations usually have, and services that a domain announces by SRV records. Written from general
 * knowledge of the field; no list of another project.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** In the order of how often a domain has them, as far as anybody can say. */
export const HOST_LABELS: readonly string[] = words(`
  www mail webmail smtp imap pop pop3 mx mx1 mx2 ns1 ns2 ftp sftp autodiscover autoconfig
  api api-dev api-staging api-test app apps m mobile admin administration backend backoffice panel cpanel plesk whm dashboard manage console
  dev development test testing qa uat stage staging preprod preview demo beta sandbox int integration prod old legacy new v2
  shop store checkout pay payment payments billing invoice blog news forum community support help helpdesk docs doc kb wiki status
  portal intranet extranet intern internal my account accounts login auth sso id identity idp oauth keycloak adfs vpn remote rdp citrix gateway gw
  cdn static assets img images media files download downloads upload uploads share cloud nextcloud owncloud drive backup
  git gitlab github bitbucket svn jenkins ci build drone registry docker nexus artifactory sonar jira confluence
  grafana kibana prometheus monitoring monitor nagios zabbix elastic elasticsearch logs sentry metrics
  db database mysql phpmyadmin postgres pgadmin redis mongo ldap
  crm erp sap hr career careers jobs events meet conference chat sip voip pbx exchange owa lists newsletter marketing survey
  server server1 host web web1 web2 proxy lb edge origin direct k8s kubernetes rancher argocd vault
  partner partners customer kunden client clients b2b lms moodle training learn analytics stats matomo track tracking
`)

/** Services by `_name._protocol` (IANA's service names; RFC 2782, 6186, 6120, 6764, 3263, 4120, 8620). */
export const SRV_SERVICES: readonly string[] = words(`
  _autodiscover._tcp _imap._tcp _imaps._tcp _pop3s._tcp _submission._tcp _submissions._tcp _jmap._tcp _sieve._tcp
  _caldav._tcp _caldavs._tcp _carddav._tcp _carddavs._tcp _sip._tcp _sip._udp _sips._tcp _sipfederationtls._tcp _xmpp-client._tcp _xmpp-server._tcp
  _ldap._tcp _ldaps._tcp _kerberos._tcp _kerberos._udp _kpasswd._tcp _gc._tcp _matrix._tcp _matrix-fed._tcp _stun._udp _turn._udp _minecraft._tcp
`)
