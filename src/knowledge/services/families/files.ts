/** Files, printing, version control. */
import type { ServiceDefinition } from '../service.ts'

export const FILES: readonly ServiceDefinition[] = [
  {
    id: 'ftp',
    title: 'FTP',
    ports: [21, 2121],
    tlsPorts: [990],
    greeting: /^(?:220|120|421|530)[ -]/,
    products: [
      { match: /^220[ -]\(?vsFTPd (?<version>[\w.]+)/i, product: 'vsftpd', cpe: 'vsftpd_project:vsftpd' },
      {
        match: /^220[ -]ProFTPD (?<version>\d[\w.]*)(?: Server)?(?: \((?<info>[^)\r\n]{1,60})\))?/,
        product: 'ProFTPD',
        cpe: 'proftpd:proftpd',
      },
      { match: /^220[ -]ProFTPD/, product: 'ProFTPD', cpe: 'proftpd:proftpd' },
      { match: /Welcome to Pure-FTPd(?: (?<version>[\d.]+))?/, product: 'Pure-FTPd', cpe: 'pureftpd:pure-ftpd' },
      {
        match: /FileZilla Server(?: version)? ?v?(?<version>[\d.]+\w*)/i,
        product: 'FileZilla Server',
        cpe: 'filezilla-project:filezilla_server',
      },
      {
        match: /^220[ -]Microsoft FTP Service(?: \(Version (?<version>[\d.]+)\))?/,
        product: 'Microsoft ftpd',
        cpe: 'microsoft:internet_information_services',
      },
      { match: /^220[ -]Serv-U FTP Server v?(?<version>[\d.]+)/, product: 'Serv-U', cpe: 'solarwinds:serv-u' },
      { match: /^220[ -]pyftpdlib (?<version>[\d.]+)/, product: 'pyftpdlib' },
      {
        match:
          /^220[ -][^\r\n]*(?<product>Wing FTP Server|CrushFTP|Titan FTP|WS_FTP|Gene6|Cerberus)(?:[^\r\n\d]{0,20}(?<version>\d[\d.]*))?/i,
      },
      {
        match: /^220[ -][^\r\n]*MikroTik (?:FTP server )?\(?(?:MikroTik )?(?<version>[\d.]+)/,
        product: 'MikroTik RouterOS ftpd',
      },
    ],
  },
  {
    id: 'rsync',
    title: 'rsync',
    ports: [873],
    greeting: /^@RSYNCD: \d/,
    products: [{ match: /^@RSYNCD: (?<info>[\d.]{2,8})/, product: 'rsync', cpe: 'samba:rsync' }],
  },
  { id: 'smb', title: 'SMB', ports: [445] },
  { id: 'netbios-ssn', title: 'NetBIOS session', ports: [139] },
  { id: 'afp', title: 'Apple Filing Protocol', ports: [548] },
  { id: 'rpcbind', title: 'ONC RPC port mapper', ports: [111] },
  { id: 'nfs', title: 'NFS', ports: [2049] },
  { id: 'mountd', title: 'NFS mount daemon', ports: [20048] },
  { id: 'iscsi', title: 'iSCSI', ports: [3260, 860] },
  {
    id: 'svn',
    title: 'Subversion',
    ports: [3690],
    greeting: /^\( success \( \d \d \( /,
    products: [{ match: /^\( success/, product: 'Subversion svnserve', cpe: 'apache:subversion' }],
  },
  { id: 'git', title: 'Git daemon', ports: [9418] },
  { id: 'cvs', title: 'CVS pserver', ports: [2401] },
  { id: 'lpd', title: 'Line printer daemon', ports: [515] },
  { id: 'ipp', title: 'Internet Printing Protocol', ports: [631] },
  { id: 'jetdirect', title: 'Raw printing', ports: [9100, 9101, 9102, 9103, 9104, 9105, 9106, 9107] },
  { id: 'nbd', title: 'Network block device', ports: [10809], greeting: /^NBDMAGIC/ },
  { id: 'distcc', title: 'distcc', ports: [3632] },
  { id: 'perforce', title: 'Perforce', ports: [1666] },
  {
    id: 'mpd',
    title: 'Music Player Daemon',
    ports: [6600],
    greeting: /^OK MPD /,
    products: [{ match: /^OK MPD (?<version>[\d.]+)/, product: 'Music Player Daemon' }],
  },
  { id: 'daap', title: 'DAAP', ports: [3689] },
  { id: 'rtsp', title: 'RTSP', ports: [554, 8554] },
  { id: 'glusterfs', title: 'GlusterFS', ports: [24007] },
  {
    id: 'ceph',
    title: 'Ceph',
    ports: [3300, 6789],
    greeting: /^ceph v\d/,
    products: [{ match: /^ceph v(?<info>\d+)/, product: 'Ceph' }],
  },
]
