import { readFileSync } from 'node:fs'
import { READ_ELSEWHERE, settingList } from './settings.ts'
import { HOME } from './version.ts'

const START = '<!-- generated from src/main/settings.ts by npm run generate -->\n\n'
const END = '\n\n<!-- end of what is generated -->'

/** The page at `path` (from the repository's root) with its table of settings written anew; the rest stays. */
export const renderSettingsDoc = (path: string): string => withSettings(readFileSync(new URL(path, HOME), 'utf8'))

/** @throws Error when the page has not exactly one place for the table. */
export const withSettings = (page: string): string => {
  const [before, rest, ...more] = page.split(START)
  const after = rest?.split(END)
  if (before === undefined || after?.length !== 2 || more.length > 0) throw new Error('no place for the settings')
  return [before, START, tables(), END, after[1]].join('')
}

const tables = (): string =>
  [
    '| Variable | Meaning | Default |',
    '|---|---|---|',
    ...settingList().map(({ variable, help, shown }) => `| \`${variable}\` | ${cell(help)} | ${cell(shown)} |`),
    '',
    'Read by other parts:',
    '',
    '| Variable | Meaning |',
    '|---|---|',
    ...Object.entries(READ_ELSEWHERE).map(([variable, help]) => `| \`${variable}\` | ${cell(help)} |`),
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|')
