import type { FindingDefinition } from '../../module.ts'
import { provenCheck } from './proven.ts'

const ldapDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/ldap',
  title: 'LDAP injection: a visitor can change a query to the directory',
  cwe: 90,
  why: 'The value becomes part of an LDAP filter. An attacker can read entries of the directory and pass a sign-in that relies on it.',
  remediation:
    'Escape the value for filters (RFC 4515: `*`, `(`, `)`, `\\`, NUL), with the function of the library: `ldap_escape`, `filter.escape`.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/LDAP_Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/90.html',
  ],
}

const xpathDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/xpath',
  title: 'XPath injection: a visitor can change a query to an XML document',
  cwe: 643,
  why: 'The value becomes part of an XPath expression. An attacker can read the whole document, question by question.',
  remediation:
    'Bind the value as a variable of the expression (`$name`) with the function of the library, or check it against a strict pattern.',
  references: [
    'https://owasp.org/www-community/attacks/XPATH_Injection',
    'https://cwe.mitre.org/data/definitions/643.html',
  ],
}

const nosqlDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/nosql',
  title: 'NoSQL injection: a visitor can change a query to the document database',
  cwe: 943,
  why: 'The value is read as operators or as script. An attacker can read what is not meant for them and pass a sign-in.',
  remediation:
    'Accept texts only: check the type of every value (`typeof q === "string"`), set `sanitizeFilter` in Mongoose, and do ' +
    'not use `$where`.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    'https://cwe.mitre.org/data/definitions/943.html',
  ],
}

export const ldap = provenCheck('ldap', ldapDefinition)
export const xpath = provenCheck('xpath', xpathDefinition)
export const nosql = provenCheck('nosql', nosqlDefinition)
