/** Words of the report that its reader may not know. */
export const GLOSSARY: readonly (readonly [word: string, meaning: string])[] = [
  [
    'Critical, high, medium, low',
    'How much harm a problem can do and how easily, from taking over the whole system to a small help for an attacker. The bands are those of CVSS: from 9, from 7, from 4, above 0.',
  ],
  ['Info', 'Worth knowing, but no weakness by itself.'],
  ['Confirmed', 'Proven: anyone can repeat the proof with the command given.'],
  ['Firm', 'The evidence allows only one reading.'],
  ['Tentative', 'A hint that a person should look at.'],
  ['New, recurring', 'Compared with the last finished scan of the same domain.'],
  ['CVE', 'Number of a published flaw in a particular product.'],
  ['CVSS', 'Common Vulnerability Scoring System: a score from 0 to 10 with the vector it was computed from.'],
  ['CWE', 'Common Weakness Enumeration: number of the kind of flaw.'],
  ['EPSS', 'Exploit Prediction Scoring System: the chance that a flaw is attacked within the next 30 days.'],
  ['KEV', 'List of flaws that are known to be attacked, kept by the US agency CISA.'],
  ['OWASP Top 10', 'The ten gravest classes of risk of web applications, by the OWASP foundation.'],
  ['CSP', 'Content Security Policy: tells the browser which scripts and other contents a page may load.'],
  ['HSTS', 'Strict-Transport-Security: tells the browser to use only https for this site.'],
  ['TLS', 'Transport Layer Security: the encryption of https.'],
  ['XSS', 'Cross-site scripting: an attacker’s script runs in the pages of the site.'],
  ['SQL injection', 'Input of a visitor becomes part of a command to the database.'],
  ['WAF', 'Web application firewall: a filter in front of the site that blocks known attacks.'],
]
