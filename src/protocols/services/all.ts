/** Every probe over TCP, the likely ones of a port that nobody knows first. */

import { memcached, redis } from './caches.ts'
import { rdp, smb, vnc, x11 } from './desktops.ts'
import { dnsTcp, ldap, rpcbind, rtsp, sip, socks, xmpp } from './directory.ts'
import { bolt, cassandra, mongodb, zookeeper } from './documents.ts'
import { mountd } from './exports.ts'
import { ftp } from './ftp.ts'
import { irc } from './irc.ts'
import { adb, ajp, epmd, fastcgi, jdwp, rmi, rsync, zabbixAgent } from './machines.ts'
import { imap, pop3, sieve, smtp } from './mail.ts'
import type { Probe } from './probe.ts'
import { amqp, beanstalkd, gearman, kafka, mqtt, nats, openwire, stomp } from './queues.ts'
import { mssql, mysql, oracle, postgresql } from './sql.ts'
import { ssh } from './ssh.ts'
import { telnet } from './telnet.ts'

export const GREETED: readonly Probe[] = [ssh, smtp, ftp, pop3, imap, sieve, telnet, mysql, vnc, rsync, nats, openwire]

export const ASKED: readonly Probe[] = [
  ...[redis, postgresql, memcached, mongodb, mqtt, amqp, ldap, rdp, dnsTcp, smb, mssql, rpcbind],
  ...[socks, sip, rtsp, xmpp, kafka, zookeeper, cassandra, bolt, x11, jdwp, rmi, ajp, fastcgi, epmd, adb],
  ...[oracle, stomp, beanstalkd, gearman, zabbixAgent, irc, mountd],
]

export const PROBES: readonly Probe[] = [...GREETED, ...ASKED]
