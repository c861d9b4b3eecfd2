/** Products whose interfaces tell or do what they should not. */
import { html, json, type Truth, text, xml } from './products.ts'

export const INTERFACES: readonly Truth[] = [
  {
    id: 'CVE-2018-13379',
    product: 'FortiOS 6.0.4',
    vulnerable: ({ path, query }) =>
      path === '/remote/fgt_lang' && /sslvpn_websession/.test(query.get('lang') ?? '')
        ? {
            type: 'application/javascript',
            body: `var fgt_lang =\n\u0000\u0000\u0001anna\u0000winter2019\u0000root\u0000`,
          }
        : null,
    patched: ({ path }) => (path === '/remote/fgt_lang' ? html('', { status: 403 }) : null),
  },
  {
    id: 'CVE-2019-19781',
    product: 'Citrix ADC 13.0',
    vulnerable: ({ raw }) =>
      /\/vpn\/(?:\.\.|%2e%2e)\/vpns\/cfg\/smb\.conf/i.test(raw)
        ? text('[global]\n\tencrypt passwords = yes\n\tname resolve order = lmhosts wins bcast host\n')
        : null,
    patched: ({ raw }) => (/vpns/.test(raw) ? html('Forbidden', { status: 403 }) : null),
  },
  {
    id: 'CVE-2020-14179',
    product: 'Jira 8.5.7',
    vulnerable: ({ path }) =>
      path === '/secure/QueryComponent!Default.jspa'
        ? json({
            searchers: {
              groups: [
                {
                  searchers: [
                    { name: 'Project', id: 'project', key: 'issue.field.project', isShown: true, lastViewed: 1 },
                  ],
                  type: 'DETAILS',
                  title: 'Details',
                },
              ],
            },
            values: { project: { name: 'Project', editHtml: '<div></div>', validSearcher: true, isShown: true } },
          })
        : null,
    patched: ({ path }) => (path.startsWith('/secure/Query') ? html('login', { status: 401 }) : null),
  },
  {
    id: 'CVE-2020-14181',
    product: 'Jira 8.5.7',
    vulnerable: ({ path }) =>
      path === '/secure/ViewUserHover.jspa'
        ? html(
            '<meta name="application-name" content="JIRA" data-name="jira"><div class="user-hover-details"><span class="user-hover-info"><h4>User does not exist</h4></span><a id="avatar-full-name-link" title="nobody" href="/secure/ViewProfile.jspa?name=nobody">nobody</a></div>',
          )
        : null,
    patched: ({ path }) =>
      path === '/secure/ViewUserHover.jspa'
        ? html('log in', { status: 302, headers: { Location: '/login.jsp' } })
        : null,
  },
  {
    id: 'CVE-2010-2861',
    product: 'ColdFusion 8',
    vulnerable: ({ path, query }) =>
      /^\/CFIDE\/.*\.cfm$/i.test(path) && /password\.properties/.test(query.get('locale') ?? '')
        ? html('<b>#Wed Nov 26 12:00:00 UTC 2008\nrdspassword=\npassword=2930E2E3\nencrypted=true</b>')
        : null,
    patched: ({ path }) => (path.startsWith('/CFIDE/') ? html('ColdFusion Administrator Login') : null),
  },
  {
    id: 'CVE-2020-3452',
    product: 'Cisco ASA 9.12',
    vulnerable: ({ raw, query }) =>
      raw.startsWith('/+CSCO') &&
      /portal_inc\.lua/.test(`${query.get('textdomain')}${query.get('lang')}${query.get('name')}${raw}`)
        ? text(
            '-- Copyright (C) 2006-2018 by Cisco Systems, Inc.\nINTERNAL_PASSWORD_ENABLED = true\nCONF_VIRTUAL_KEYBOARD = 0\ndofile("/+CSCOE+/include/common.lua")\n',
            { type: 'application/octet-stream' },
          )
        : null,
  },
  {
    id: 'CVE-2018-0296',
    product: 'Cisco ASA 9.6',
    vulnerable: ({ raw }) =>
      /\+CSCOU\+\/\.\.\/\+CSCOE\+\/files\/file_list\.json/.test(raw)
        ? text("[\n{'name':'+CSCOE+','size':0,'type':'1','mdate':1}\n///sessions\n]")
        : null,
  },
  {
    id: 'CVE-2019-1653',
    product: 'Cisco RV320 1.4.2.15',
    vulnerable: ({ path }) =>
      path === '/cgi-bin/config.exp'
        ? text(
            '####sysconfig####\n[VERSION]\nVERSION=73\nMODEL=RV320\nSSL=0\nIPSEC=0\n[SYSTEM]\nHOSTNAME=router\nUSERNAME=cisco\nPASSWD=066bae9070a9a95b3e03019db131cd40\n',
            { type: 'application/octet-stream' },
          )
        : null,
    patched: ({ path }) => (path.startsWith('/cgi-bin/') ? html('<script>location="/"</script>') : null),
  },
  {
    id: 'CVE-2021-21972',
    product: 'vCenter 7.0 U1',
    vulnerable: ({ path }) =>
      path === '/ui/vropspluginui/rest/services/getstatus'
        ? text(
            '{"States":"[]","Install Progress":"UNKNOWN","Config Progress":"UNKNOWN","Config Final Progress":"UNKNOWN","Install Final Progress":"UNKNOWN"}',
            { headers: { 'Set-Cookie': 'VSPHERE-UI-JSESSIONID=0A; Path=/ui' } },
          )
        : null,
    patched: ({ path }) => (path.startsWith('/ui/vropspluginui') ? html('', { status: 401 }) : null),
  },
  {
    id: 'CVE-2020-13937',
    product: 'Kylin 3.1.0',
    vulnerable: ({ path }) =>
      path === '/kylin/api/admin/config'
        ? json({
            config:
              'kylin.metadata.url=kylin_metadata@hbase\nkylin.env.hdfs-working-dir=/kylin\nkylin.job.use-remote-cli=false\nkylin.tool.auto-migrate-cube.enabled=true',
          })
        : null,
    patched: ({ path }) => (path.startsWith('/kylin/api') ? json({ code: '999' }, { status: 401 }) : null),
  },
  {
    id: 'CVE-2020-9376',
    product: 'D-Link DIR-610',
    vulnerable: ({ path, body }) =>
      path === '/getcfg.php' && /DEVICE\.ACCOUNT/.test(body) && /AUTHORIZED_GROUP/.test(body)
        ? xml(
            '<?xml version="1.0" encoding="utf-8"?><postxml><module><service>DEVICE.ACCOUNT</service><device><account><entry><uid>USR-</uid><name>Admin</name><usrid></usrid><password>hunter22</password><group>0</group></entry></account></device></module></postxml>',
          )
        : null,
  },
  {
    id: 'CVE-2023-23752',
    product: 'Joomla 4.2.6',
    vulnerable: ({ path, query }) =>
      /^\/api\/(?:index\.php\/)?v1\/config\/application$/.test(path) && query.get('public') === 'true'
        ? json(
            {
              links: { self: 'x' },
              data: [
                { type: 'application', id: '224', attributes: { dbtype: 'mysqli', id: 224 } },
                { type: 'application', id: '224', attributes: { host: 'localhost', id: 224 } },
                { type: 'application', id: '224', attributes: { user: 'joomla', id: 224 } },
                { type: 'application', id: '224', attributes: { password: 'hunter22', id: 224 } },
                { type: 'application', id: '224', attributes: { dbprefix: 'jos_', id: 224 } },
              ],
            },
            { type: 'application/vnd.api+json; charset=utf-8' },
          )
        : null,
    patched: ({ path }) =>
      path.startsWith('/api/')
        ? json({ errors: [{ title: 'Forbidden', code: 403 }] }, { status: 403, type: 'application/vnd.api+json' })
        : null,
  },
  {
    id: 'CVE-2021-29441',
    product: 'Nacos 1.4.0',
    vulnerable: ({ path, header, method }) =>
      /\/v1\/cs\/configs$/.test(path) && method === 'POST'
        ? header('user-agent') === 'Nacos-Server'
          ? text('true', { type: 'application/json;charset=UTF-8' })
          : json({ status: 403, error: 'Forbidden', message: 'unknown user!' }, { status: 403 })
        : /\/v1\/auth\/users\/?$/.test(path)
          ? header('user-agent') === 'Nacos-Server'
            ? json({
                totalCount: 1,
                pageNumber: 1,
                pagesAvailable: 1,
                pageItems: [
                  { username: 'nacos', password: '$2a$10$EuWPZHzz32dJN7jexM34MOeYirDdFAZm2kuWj7VEOJhhZkDrxfvUu' },
                ],
              })
            : json({ status: 403, message: 'unknown user!' }, { status: 403 })
          : null,
    patched: ({ path }) =>
      /\/v1\/(?:auth|cs)\//.test(path) ? json({ status: 403, message: 'unknown user!' }, { status: 403 }) : null,
  },
  {
    id: 'CVE-2021-29442',
    product: 'Nacos 1.4.0',
    vulnerable: ({ path, query }) =>
      /\/v1\/cs\/ops\/derby$/.test(path) && /^select/i.test(query.get('sql') ?? '')
        ? json({
            code: 200,
            message: null,
            data: [{ TABLENAME: 'APP_CONFIGDATA_RELATION_PUBS' }, { TABLENAME: 'USERS' }],
          })
        : null,
    patched: ({ path }) => (/derby/.test(path) ? json({ status: 403 }, { status: 403 }) : null),
  },
]
