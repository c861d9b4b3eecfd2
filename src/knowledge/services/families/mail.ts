/** Mail and messages between people. */
import type { ServiceDefinition } from '../service.ts'

export const MAIL: readonly ServiceDefinition[] = [
  {
    id: 'smtp',
    title: 'SMTP',
    ports: [25, 587, 2525, 26, 10024, 10025],
    tlsPorts: [465],
    // 220 is FTP's greeting too; SMTP names itself in it (RFC 5321, 4.2) or is told by EHLO.
    greeting: /^(?:220|421|554)[ -][^\r\n]{0,400}(?:E?SMTP|Postfix|Exim|Sendmail|mail)/i,
    products: [
      {
        match: /^220[ -]\S+ ESMTP Postfix(?: \((?<info>[^)\r\n]{1,60})\))?/,
        product: 'Postfix smtpd',
        cpe: 'postfix:postfix',
      },
      { match: /^220[ -]\S+ ESMTP Exim (?<version>[\w.]+)/, product: 'Exim smtpd', cpe: 'exim:exim' },
      { match: /^220[ -]\S+ ESMTP Sendmail (?<version>[\w.]+)/, product: 'Sendmail', cpe: 'sendmail:sendmail' },
      {
        match: /^220[ -]\S+ Microsoft ESMTP MAIL Service(?:, Version: (?<version>[\d.]+))?/,
        product: 'Microsoft Exchange smtpd',
        cpe: 'microsoft:exchange_server',
      },
      { match: /^220[ -]\S+ ESMTP OpenSMTPD/, product: 'OpenSMTPD', cpe: 'openbsd:opensmtpd' },
      { match: /^220[ -]\S+ ESMTP Haraka(?:\/(?<version>[\w.]+))?/, product: 'Haraka' },
      {
        match: /^220[ -]\S+ ESMTP MailEnable Service, Version: (?<version>[\d.]+)/,
        product: 'MailEnable',
        cpe: 'mailenable:mailenable',
      },
      {
        match:
          /^220[ -]\S+ \(?(?<product>hMailServer|MDaemon|Kerio Connect|IceWarp|CommuniGate Pro)[ /]?(?<version>[\d.]+)?/i,
      },
      { match: /^220[ -][^\r\n]*(?<product>MailHog|Mailpit|GreenMail|Stalwart|Maddy)(?:[ /v]+(?<version>[\d.]+))?/i },
      { match: /^220[ -]\S+ ESMTP (?<product>[A-Z][\w-]{2,30})/ },
    ],
  },
  {
    id: 'pop3',
    title: 'POP3',
    ports: [110],
    tlsPorts: [995],
    greeting: /^\+OK\b/,
    products: [
      {
        match: /^\+OK(?: \[XCLIENT\])? Dovecot(?: \((?<info>[^)\r\n]{1,40})\))? ready/,
        product: 'Dovecot pop3d',
        cpe: 'dovecot:dovecot',
      },
      { match: /^\+OK Cyrus POP3 v?(?<version>[\w.-]+)/, product: 'Cyrus pop3d', cpe: 'cyrus:imap' },
      { match: /^\+OK Hello there/, product: 'Courier pop3d' },
      {
        match: /^\+OK .*Microsoft Exchange(?: Server (?<version>[\d.]+))?/,
        product: 'Microsoft Exchange pop3d',
        cpe: 'microsoft:exchange_server',
      },
      { match: /^\+OK POP3 Qpopper \(version (?<version>[\d.]+)/i, product: 'Qpopper' },
    ],
  },
  {
    id: 'imap',
    title: 'IMAP',
    ports: [143],
    tlsPorts: [993],
    greeting: /^\* (?:OK|PREAUTH|BYE)\b/,
    products: [
      {
        match: /^\* (?:OK|PREAUTH)[^\r\n]*Dovecot(?: \((?<info>[^)\r\n]{1,40})\))? ready/,
        product: 'Dovecot imapd',
        cpe: 'dovecot:dovecot',
      },
      { match: /^\* OK[^\r\n]*Cyrus IMAP (?:v)?(?<version>[\w.-]+)/, product: 'Cyrus imapd', cpe: 'cyrus:imap' },
      { match: /^\* OK[^\r\n]*Courier-IMAP ready/, product: 'Courier imapd', cpe: 'courier-mta:courier-imap' },
      {
        match: /^\* OK[^\r\n]*Microsoft Exchange/,
        product: 'Microsoft Exchange imapd',
        cpe: 'microsoft:exchange_server',
      },
      {
        match:
          /^\* OK[^\r\n]*(?<product>Stalwart|GreenMail|hMailServer|Zimbra|Kerio Connect)(?:[ /v]+(?<version>[\d.]+))?/i,
      },
    ],
  },
  {
    id: 'sieve',
    title: 'ManageSieve',
    ports: [4190, 2000],
    greeting: /^"IMPLEMENTATION" "/,
    products: [{ match: /^"IMPLEMENTATION" "(?<product>[A-Za-z ]{1,40}?)(?: v?(?<version>\d[\w.]*))?"/ }],
  },
  { id: 'lmtp', title: 'LMTP', ports: [24], greeting: /^220[ -][^\r\n]{0,300}LMTP/ },
  {
    id: 'nntp',
    title: 'NNTP',
    ports: [119],
    tlsPorts: [563],
    greeting: /^20[01] [^\r\n]{0,200}(?:NNTP|News|INN|InterNetNews)/i,
    products: [{ match: /(?<product>INN|InterNetNews|Leafnode|DNews) (?:NNRP server )?(?<version>\d[\w.]*)/ }],
  },
  { id: 'xmpp', title: 'XMPP', ports: [5222, 5269, 5298], tlsPorts: [5223] },
  {
    id: 'irc',
    title: 'IRC',
    ports: [6667, 6665, 6666, 6668, 6669],
    tlsPorts: [6697],
    greeting: /^:?\S{1,100} (?:NOTICE|020) [^\r\n]{0,200}(?:\*\*\*|looking up|Please wait)/i,
    products: [{ match: /(?<product>UnrealIRCd|InspIRCd|ngIRCd|Hybrid|Solanum)[-/ ]?v?(?<version>\d[\w.]*)?/i }],
  },
  { id: 'sip', title: 'SIP', ports: [5060], tlsPorts: [5061] },
  {
    id: 'asterisk-manager',
    title: 'Asterisk Manager',
    ports: [5038],
    greeting: /^Asterisk Call Manager\/(?:[\d.]+)/,
    products: [{ match: /^Asterisk Call Manager\/(?<info>[\d.]+)/, product: 'Asterisk', cpe: 'digium:asterisk' }],
  },
  {
    id: 'teamspeak',
    title: 'TeamSpeak ServerQuery',
    ports: [10011],
    greeting: /^TS3\r?\n/,
    products: [{ match: /^TS3/, product: 'TeamSpeak 3', cpe: 'teamspeak:teamspeak_server' }],
  },
  { id: 'skinny', title: 'Cisco Skinny', ports: [2000] },
]
