import { readHtml } from '../../../page/html.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import { isPlainly } from '../../answers.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { SeenText } from './facts.ts'
import { overTexts } from './texts.ts'

const definition: FindingDefinition = {
  id: 'disclosure/captcha-answer',
  title: 'Captcha without effect: its answer comes with its question',
  severity: 'medium',
  cwe: 602,
  why: 'A captcha keeps programs out. Where the answer stands beside the question, programs read it there, and send what they like as often as they like.',
  remediation:
    'Keep the answer on the server, beside an id of the question, and make it void with the first attempt. Send the question alone, as a picture or through a service such as Friendly Captcha or hCaptcha.',
  references: [
    'https://cwe.mitre.org/data/definitions/804.html',
    'https://owasp.org/www-community/attacks/CAPTCHA_Rig',
  ],
}

/** Whether questions that keep programs out bring their answers along. */
export const captchaAnswer: Check<'disclosure', 'site'> = {
  findings: [definition],
  judge: (facts, _known, about) =>
    overTexts(facts, about, definition, (text) => {
      const told = answerIn(text) ?? answerBeside(text)
      if (told === null) return null
      return {
        detail: `${text.url} tells ${told.name} beside ${told.question}${told.isRight ? ', and it is right' : ''}.`,
        excerpt: told.mark,
      }
    }),
}

interface Told {
  /** Of the member with the answer. */
  readonly name: string
  readonly question: string
  readonly isRight: boolean
  readonly mark: string
}

const CAPTCHA = /captcha/i
const ANSWER = /^(?:captcha_?)?(?:answer|solution|result|expected|expected_?(?:answer|value)|loesung|antwort)$/i
const QUESTION = /^(?:captcha|(?:captcha_?)?(?:question|image|img|picture|challenge|expression|task|svg|frage))$/i
/** Characters of an answer, and of what is read. */
const LONGEST = 24
const MOST = 200_000

/** Of an object of JSON that holds a question of a captcha, the answer beside it; null where there is none. */
export const answerIn = ({
  url,
  status,
  body,
  module,
}: Pick<SeenText, 'url' | 'status' | 'body' | 'module'>): Told | null => {
  if (status !== 200 || !isPlainly(module) || !/^\s*[{[]/.test(body) || body.length > MOST) return null
  for (const object of objectsIn(body)) {
    const entries = Object.entries(object)
    const question = entries.find(([name, value]) => QUESTION.test(name) && typeof value === 'string' && value !== '')
    const answer = entries.find(([name, value]) => ANSWER.test(name) && isShort(value))
    const isCaptcha = CAPTCHA.test(new URL(url).pathname) || entries.some(([name]) => CAPTCHA.test(name))
    if (question === undefined || answer === undefined || !isCaptcha) continue
    const [asks, text] = question
    const mark = `"${asks}": ${JSON.stringify(String(text).slice(0, 60))}, "${answer[0]}": ${JSON.stringify(answer[1])}`
    return { name: answer[0], question: asks, isRight: String(answer[1]) === String(worked(String(text))), mark }
  }
  return null
}

const HIDDEN_ANSWER = /captcha|answer|solution|result|expected|correct|^sum$|loesung|antwort|ergebnis/i
/** Without blanks around it a minus is that of a span. */
const SUM = /(?<![\d.,/-])\d{1,4}(?:\s{0,3}[+*x×]\s{0,3}|\s{1,3}-\s{1,3})\d{1,4}(?![\d.,/-])/g
const MOST_FORMS = 50
const MOST_SUMS = 20

/** Of a page with a form that asks for a sum, the hidden field that holds what it comes to; null where there is none. */
export const answerBeside = ({
  url,
  status,
  body,
  module,
}: Pick<SeenText, 'url' | 'status' | 'body' | 'module'>): Told | null => {
  if (status !== 200 || !isPlainly(module) || body.length > MOST || !/<form\b/i.test(body)) return null
  for (const part of body.split(/<form\b/i).slice(1, MOST_FORMS + 1)) {
    const markup = part.split(/<\/form\b/i)[0] ?? ''
    // What stands between its tags.
    const text = markup
      .split('<')
      .map((one) => one.slice(one.indexOf('>') + 1))
      .join(' ')
    const sums = [...text.matchAll(SUM)].slice(0, MOST_SUMS).map(([sum]) => sum)
    if (sums.length === 0) continue
    const inputs = readHtml(`<form${markup}</form>`, url).forms[0]?.inputs ?? []
    for (const { type, name, value } of inputs) {
      if (type !== 'hidden' || value === '' || !HIDDEN_ANSWER.test(name)) continue
      const question = sums.find((sum) => String(worked(sum)) === value)
      if (question !== undefined) return { name, question, isRight: true, mark: `name="${name}" value="${value}"` }
    }
  }
  return null
}

const isShort = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '' && value.length <= LONGEST) || typeof value === 'number'

/** The whole, and what it holds one level down. */
const objectsIn = (body: string): readonly Readonly<Record<string, unknown>>[] => {
  const whole = jsonTreeOf(body)
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject(whole) ? [whole, ...Object.values(whole).filter(isObject)] : []
}

/** What two or three small numbers come to; null for what is no sum. */
const worked = (question: string): number | null => {
  const parts = /^\s*(\d{1,4})\s*([-+*x×])\s*(\d{1,4})(?:\s*([-+*x×])\s*(\d{1,4}))?\s*(?:=\s*\??)?\s*$/.exec(question)
  if (parts === null) return null
  const [, a, first = '', b, second, c] = parts
  const by = (one: number, sign: string, other: number): number =>
    sign === '+' ? one + other : sign === '-' ? one - other : one * other
  if (second === undefined) return by(Number(a), first, Number(b))
  const isLater = /[*x×]/.test(second) && /[-+]/.test(first)
  return isLater
    ? by(Number(a), first, by(Number(b), second, Number(c)))
    : by(by(Number(a), first, Number(b)), second, Number(c))
}
