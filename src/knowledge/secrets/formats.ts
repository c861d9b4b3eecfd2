/**
 * Formats of secrets, each with what proves one. Prefixes and lengths are those that the issuers publish.
 * Patterns are linear: fixed prefixes, bounded repetition, no nesting.
 */
import { entropy, hasGithubChecksum, isPlaceholder, isPrivateKey } from './verify.ts'

/** critical: keys to money, clouds and identities · service: tokens of single services · public: meant to be seen. */
export type SecretWeight = 'critical' | 'service' | 'public'

export interface SecretFormat {
  readonly id: string
  readonly label: string
  readonly weight: SecretWeight
  /** Global; the group `secret` is what gets masked, else the whole match. */
  readonly pattern: RegExp
  /** Cheap test that spares the pattern: the text must hold one of these. */
  readonly hints: readonly string[]
  readonly verify: (secret: string) => boolean
}

const random = (least: number) => (secret: string) => entropy(secret) >= least && !isPlaceholder(secret)

export const SECRET_FORMATS: readonly SecretFormat[] = [
  {
    id: 'private-key',
    label: 'private key',
    weight: 'critical',
    hints: ['PRIVATE KEY-----'],
    pattern:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{40,8000}-----END (?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----/g,
    verify: isPrivateKey,
  },
  {
    id: 'aws-key-pair',
    label: 'AWS access key with its secret',
    weight: 'critical',
    hints: ['AKIA', 'ASIA'],
    // The key id, and within reach of it a quoted text of exactly 40 base64 characters.
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])[\s\S]{1,200}?["'=](?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    verify: random(4.2),
  },
  {
    id: 'aws-secret-key',
    label: 'secret access key of an AWS or S3-compatible storage',
    weight: 'critical',
    hints: ['ecretAccessKey', 'ecret_access_key', 'ECRET_ACCESS_KEY'],
    // By its name in the SDKs, as those who speak the same interface give ids of their own. In JSON a quote has a backslash before it.
    pattern: /secret_?access_?key\\?["'`]?\s{0,3}[:=]\s{0,3}\\?["'`]?(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/gi,
    verify: random(4.2),
  },
  {
    id: 'azure-storage',
    label: 'Azure storage account key',
    weight: 'critical',
    hints: ['AccountKey='],
    pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/g,
    verify: random(4.5),
  },
  {
    id: 'google-oauth-secret',
    label: 'Google OAuth client secret',
    weight: 'critical',
    hints: ['GOCSPX-'],
    pattern: /(?<secret>GOCSPX-[A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])/g,
    verify: random(3.8),
  },
  {
    id: 'stripe-secret',
    label: 'Stripe live secret key',
    weight: 'critical',
    hints: ['sk_live_', 'rk_live_'],
    pattern: /(?<![A-Za-z0-9])(?<secret>[sr]k_live_[A-Za-z0-9]{24,247})/g,
    verify: random(3.8),
  },
  {
    id: 'square-secret',
    label: 'Square application secret',
    weight: 'critical',
    hints: ['sq0csp-'],
    pattern: /(?<secret>sq0csp-[A-Za-z0-9_-]{43})/g,
    verify: random(3.8),
  },
  {
    id: 'database-address',
    label: 'database address with password',
    weight: 'critical',
    hints: ['://'],
    pattern:
      /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[A-Za-z0-9._-]{1,64}:(?<secret>[^\s@/"'<>{}$]{6,128})@[A-Za-z0-9.-]{1,253}/g,
    verify: (secret) => !isPlaceholder(secret) && !/^(?:password|passwd|pass|secret|user)$/i.test(secret),
  },
  {
    id: 'github-token',
    label: 'GitHub token',
    weight: 'critical',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /(?<![A-Za-z0-9])(?<secret>gh[pousr]_[A-Za-z0-9]{36})(?![A-Za-z0-9])/g,
    verify: hasGithubChecksum,
  },
  {
    id: 'gitlab-token',
    label: 'GitLab personal access token',
    weight: 'service',
    hints: ['glpat-'],
    pattern: /(?<secret>glpat-[A-Za-z0-9_-]{20})(?![A-Za-z0-9_-])/g,
    verify: random(3.5),
  },
  {
    id: 'slack-token',
    label: 'Slack token',
    weight: 'service',
    hints: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxs-', 'xoxr-'],
    pattern: /(?<secret>xox[bpasr]-[0-9]{10,13}-[0-9]{10,13}-[A-Za-z0-9-]{20,72})/g,
    verify: random(3.2),
  },
  {
    id: 'slack-webhook',
    label: 'Slack webhook address',
    weight: 'service',
    hints: ['hooks.slack.com'],
    pattern: /https:\/\/hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24})/g,
    verify: random(3.5),
  },
  {
    id: 'sendgrid-key',
    label: 'SendGrid API key',
    weight: 'service',
    hints: ['SG.'],
    pattern: /(?<![A-Za-z0-9])(?<secret>SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g,
    verify: random(4.2),
  },
  {
    id: 'mailgun-key',
    label: 'Mailgun API key',
    weight: 'service',
    hints: ['key-'],
    // Other things are called so as well: the issuer is named near it.
    pattern:
      /(?<![\w-])(?<secret>key-[0-9a-f]{32})(?![0-9a-f])(?:(?<=mailgun[\s\S]{0,200})|(?=[\s\S]{0,200}?mailgun))/gi,
    verify: random(3.2),
  },
  {
    id: 'npm-token',
    label: 'npm access token',
    weight: 'service',
    hints: ['npm_'],
    pattern: /(?<![A-Za-z0-9_])(?<secret>npm_[A-Za-z0-9]{36})(?![A-Za-z0-9_])/g,
    verify: random(4),
  },
  {
    id: 'shopify-token',
    label: 'Shopify access token',
    weight: 'service',
    hints: ['shpat_', 'shpss_', 'shpca_', 'shppa_'],
    pattern: /(?<secret>shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32})(?![0-9a-fA-F])/g,
    verify: random(3.2),
  },
  {
    id: 'digitalocean-token',
    label: 'DigitalOcean access token',
    weight: 'critical',
    hints: ['dop_v1_'],
    pattern: /(?<secret>dop_v1_[0-9a-f]{64})(?![0-9a-f])/g,
    verify: random(3.2),
  },
  {
    id: 'openai-key',
    label: 'OpenAI API key',
    weight: 'service',
    // The middle is base64 of "OpenAI".
    hints: ['T3BlbkFJ'],
    pattern: /(?<![A-Za-z0-9])(?<secret>sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,74}T3BlbkFJ[A-Za-z0-9_-]{20,74})/g,
    verify: random(4.2),
  },
  {
    id: 'telegram-token',
    label: 'Telegram bot token',
    weight: 'service',
    hints: [':AA'],
    pattern: /(?<![0-9A-Za-z])(?<secret>[0-9]{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/g,
    verify: random(4.2),
  },
  {
    id: 'google-api-key',
    label: 'Google API key',
    weight: 'public',
    hints: ['AIza'],
    pattern: /(?<![A-Za-z0-9])(?<secret>AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/g,
    verify: random(3.8),
  },
  {
    id: 'stripe-public',
    label: 'Stripe publishable key',
    weight: 'public',
    hints: ['pk_live_'],
    pattern: /(?<![A-Za-z0-9])(?<secret>pk_live_[A-Za-z0-9]{24,247})/g,
    verify: random(3.5),
  },
]
