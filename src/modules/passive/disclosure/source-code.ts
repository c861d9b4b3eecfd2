import { withoutComments } from '../../../page/visible.ts'
import { isPlainly } from '../../answers.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { SeenText } from './facts.ts'
import { conceal, overTexts } from './texts.ts'
import { withoutSamples } from './visible.ts'

const definition: FindingDefinition = {
  id: 'disclosure/source-code',
  title: 'Source code disclosure: the server delivers programs instead of running them',
  severity: 'medium',
  cwe: 540,
  why: 'The code tells how everything is checked and stored, often with passwords of the database in it.',
  remediation:
    'Have the server run files of this kind or refuse them (`<FilesMatch "\\.(inc|bak|old|orig)$"> Require all denied`), and keep copies out of the folder that it delivers.',
  references: ['https://cwe.mitre.org/data/definitions/540.html'],
}

export const sourceCode: Check<'disclosure', 'site'> = {
  findings: [definition],
  judge: (facts, _known, about) =>
    overTexts(facts, about, definition, (text) => {
      const code = codeIn(text)
      if (code === null) return null
      return {
        detail: `${text.url} shows the source of a program in ${code.language}.`,
        excerpt: conceal(code.mark).slice(0, 1_500),
      }
    }),
}

interface Code {
  readonly language: string
  readonly mark: string
}

const LANGUAGES: readonly (readonly [language: string, pattern: RegExp])[] = [
  [
    'PHP',
    /<\?(?:php\b|=)(?=[\s\S]{0,3000}(?:\$_(?:GET|POST|REQUEST|SERVER|SESSION|COOKIE)\b|\b(?:require|include)(?:_once)?\s*[('"]|\$\w+\s*=[^=]|\bfunction\s+\w+\s*\())[\s\S]{1,1500}/,
  ],
  ['JSP', /<%@\s*(?:page|taglib|include)\s[^%]{1,500}%>[\s\S]{0,1500}/],
  [
    'ASP',
    /<%@?\s*(?:Language\s*=|Page\s+Language\s*=|Dim\s+\w+|Response\.Write|Set\s+\w+\s*=\s*Server\.CreateObject)[\s\S]{1,1500}/i,
  ],
]
/** Copies and parts of programs, which no server runs. */
const COPY = /\.(?:inc|bak|old|orig|save|swp|tmp|copy|dist)$|~$/i

/**
 * A page with a program in it that a browser would show or hide as an unknown tag, or a copy of a program. What a page shows as a
 * sample, and programs that a site offers as files, are none.
 */
export const codeIn = ({
  url,
  status,
  body,
  contentType,
  module,
}: Pick<SeenText, 'url' | 'status' | 'body' | 'contentType' | 'module'>): Code | null => {
  if (status !== 200 || !isPlainly(module)) return null
  const copy = COPY.test(new URL(url).pathname)
  if (!copy && contentType !== 'text/html') return null
  // Where it is text to be read, a page has it escaped.
  const shown = copy ? body : withoutComments(withoutSamples(body, status)).replace(/<script\b[\s\S]*?<\/script>/gi, '')
  for (const [language, pattern] of LANGUAGES) {
    const mark = pattern.exec(shown)?.[0]
    if (mark !== undefined) return { language, mark }
  }
  return null
}
