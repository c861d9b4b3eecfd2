import type { FindingDefinition } from '../../module.ts'
import { provenCheck } from './proven.ts'
import { FORMAT } from './templates.ts'

const commandDefinition: FindingDefinition = {
  severity: 'critical',
  id: 'injection/command',
  title: 'OS command injection: commands of a visitor run on the server',
  cwe: 78,
  why: 'What a visitor sends reaches a shell. An attacker runs programs on the server with the rights of the application.',
  remediation:
    'Call the program without a shell and pass each argument apart: `execFile("ping", ["-c1", "--", host])`, ' +
    '`subprocess.run([...])` without `shell=True`, `proc_open` with an array. Check the value against a list or a strict pattern first.',
  references: [
    'https://owasp.org/www-community/attacks/Command_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
}

const codeDefinition: FindingDefinition = {
  severity: 'critical',
  id: 'injection/code',
  title: 'Code injection: code of a visitor is evaluated on the server',
  cwe: 94,
  why: 'What a visitor sends is evaluated as program code. An attacker takes over the application and what it may reach.',
  remediation:
    'Remove `eval`, `new Function`, `exec`, `assert` and `include` with values from requests. Parse data as data ' +
    '(JSON, numbers); where formulas are needed, use a parser of its own with a fixed list of functions.',
  references: [
    'https://owasp.org/www-community/attacks/Code_Injection',
    'https://cwe.mitre.org/data/definitions/94.html',
  ],
}

const templateDefinition: FindingDefinition = {
  severity: 'critical',
  id: 'injection/template',
  title: 'Server-side template injection (SSTI): template code of a visitor is evaluated',
  cwe: 1336,
  why:
    'What a visitor sends becomes part of a template. Most template engines reach the objects of the application from ' +
    'there, and by them files and programs.',
  remediation:
    'Keep templates in files and give values as variables: `render("hello.html", name=name)`, never ' +
    '`render_string("Hello " + name)`. Where people write templates, use an engine without logic or its sandbox.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    'https://cwe.mitre.org/data/definitions/1336.html',
  ],
}

const formatDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/format-string',
  title: 'Format string injection: fields in a text of a visitor reach objects of the application',
  cwe: 134,
  why:
    'A text with fields is filled by a function that follows a field to whatever hangs on its object: other columns of the record, ' +
    'classes, and by them the settings with their keys. It runs no code.',
  remediation:
    'Replace known names in the text by known values: `string.Template(text).safe_substitute(name=name)` in Python, never ' +
    '`text.format(tenant=tenant)` with an object and a text that somebody else has worded.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/13-Testing_for_Format_String_Injection',
    'https://peps.python.org/pep-3101/#security-considerations',
    'https://cwe.mitre.org/data/definitions/134.html',
  ],
}

export const command = provenCheck('command', commandDefinition)
export const code = provenCheck('code', codeDefinition)
export const template = provenCheck('template', templateDefinition, {
  definition: formatDefinition,
  is: (hit) => hit.proof === 'computed' && hit.flavour === FORMAT,
})
