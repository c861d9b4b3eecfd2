/** What all definitions of SQL injection share. */
export const REFERENCES = [
  'https://owasp.org/www-community/attacks/SQL_Injection',
  'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/89.html',
] as const

export const FIX =
  'Bind the value as a parameter: `SELECT … WHERE id = ?` with the value passed apart, in every statement that this ' +
  'place reaches. Where SQL takes no parameter (a column of ORDER BY, a direction, a LIMIT), choose from a fixed list or ' +
  'convert to a number first. Give the account of the application no more rights than it needs.'

export const WHY =
  'What a visitor sends becomes part of a database statement. An attacker can read everything that the application may ' +
  'read, often change it, sign in as anyone, and on some servers run programs.'

export const PROVEN = {
  severity: 'critical',
  cwe: 89,
  why: WHY,
  remediation: FIX,
  references: REFERENCES,
} as const
