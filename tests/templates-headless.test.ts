/** Headless steps in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../src/engine/browser/launch.ts'
import { collectContext } from '../src/modules/testing/collecting.ts'
import {
  caseAddress,
  caseTarget,
  runIn,
  type Served,
  serveTemplateCase,
  templateOf,
} from '../src/templates/run/testing/template-case.ts'

const ADDRESS = caseAddress(67)
let served: Served
let shared: ReturnType<typeof collectContext>

beforeAll(async () => {
  served = await serveTemplateCase(ADDRESS, (request, response, body) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/app') {
      response.end(
        `<title>App</title><input id="q"><button onclick="document.body.append('said ' + q.value)">go</button>
         <script>window.appVersion = '4.2'; document.body.dataset.ready = 'by script'</script>`,
      )
    } else if (request.url === '/how') {
      response.end(
        `<p>by ${request.method}, ${body || 'nothing'}, ${request.headers['accept-language'] ?? 'no'} language</p>`,
      )
    } else if (request.url === '/own.js') response.end('// the text of a script')
    else if (request.url === '/with') response.end('<script src="/own.js"></script>')
    else if (request.url?.startsWith('/?x=')) response.end(`<script>alert('proof 7')</script>`)
    else response.end(`<p>header ${request.headers['x-own'] ?? 'none'}</p>`)
  })
  shared = collectContext(ADDRESS, { module: 'templates', requests: 2_000, port: served.port, launchBrowser })
})
afterAll(async () => {
  await shared.close()
  await served.close()
})

const headless = (steps: string, operators: string): string =>
  `headless:\n  - steps:\n${steps
    .split('\n')
    .map((line) => `      - ${line}`)
    .join('\n')}\n    ${operators}`
const open = (path: string): string => `{action: navigate, args: {url: "{{BaseURL}}${path}"}}\n{action: waitload}`

const CASES = [
  ['what scripts made of the page', open('/app'), 'matchers: [{type: word, words: ["by script"]}]', 1],
  [
    'a script that reads a global',
    `${open('/app')}\n{action: script, name: version, args: {code: "() => { return window.appVersion }"}}`,
    'matchers: [{type: word, part: version, words: ["4.2"]}]',
    1,
  ],
  [
    'a script that runs before those of the page',
    `{action: script, args: {hook: true, code: "() => { Object.defineProperty(window, 'appVersion', {value: 'hooked', writable: false}) }"}}\n${open('/app')}\n{action: script, name: version, args: {code: "window.appVersion"}}`,
    'extractors: [{type: kval, kval: [version]}]',
    1,
  ],
  [
    'typing and clicking',
    `${open('/app')}\n{action: text, args: {by: x, xpath: "//input", value: "{{to_upper('abc')}}"}}\n{action: click, args: {by: x, xpath: "//button"}}`,
    'matchers: [{type: word, words: ["said ABC"]}]',
    1,
  ],
  [
    'a dialog',
    `{action: navigate, args: {url: "{{BaseURL}}/?x=1"}}\n{action: waitdialog, name: seen, args: {max-duration: 5s}}`,
    `matchers: [{type: dsl, dsl: ["seen == true && seen_message == 'proof 7'"]}]`,
    1,
  ],
  [
    'no dialog',
    `${open('/app')}\n{action: waitdialog, name: seen, args: {max-duration: 300ms}}`,
    'matchers: [{type: dsl, dsl: ["seen == true"]}]',
    0,
  ],
  [
    'another method with a body',
    `{action: setmethod, args: {part: request, method: POST}}\n{action: setbody, args: {part: request, body: "{{to_upper('abc')}}"}}\n${open('/how')}`,
    'matchers: [{type: word, words: ["by POST, ABC,"]}]',
    1,
  ],
  [
    'a header less',
    `{action: deleteheader, args: {part: request, key: Accept-Language}}\n${open('/how')}`,
    'matchers: [{type: word, words: ["no language"]}]',
    1,
  ],
  [
    'a resource of the page',
    `${open('/with')}\n{action: getresource, name: source, args: {by: x, xpath: "//script"}}`,
    'matchers: [{type: word, part: source, words: ["the text of a script"]}]',
    1,
  ],
  [
    'an event of the browser',
    `${open('/app')}\n{action: script, args: {code: "() => { setTimeout(() => console.log('x'), 100) }"}}\n{action: waitevent, args: {event: "Runtime.consoleAPICalled", max-duration: 3s}}`,
    'matchers: [{type: word, words: ["by script"]}]',
    1,
  ],
  [
    'a header of the template',
    `{action: setheader, args: {part: request, key: X-Own, value: "yes"}}\n${open('/')}`,
    'matchers: [{type: word, words: ["header yes"]}]',
    1,
  ],
] as const

describe('headless', () => {
  it.each(CASES)('%s', async (_trick, steps, operators, hits) => {
    const ran = await runIn(shared.ctx, templateOf(headless(steps, operators)), caseTarget(served.port))
    expect(ran).toMatchObject({ skipped: null, failed: null })
    expect(ran.hits).toHaveLength(hits)
  })

  it.each([
    ['another site', '{action: navigate, args: {url: "http://other.test/"}}', /not the target/],
    ['what browsers are not let do here', '{action: files}', /files/],
  ])('%s is left alone', async (_trick, steps, reason) => {
    const template = templateOf(headless(steps, 'matchers: [{type: status, status: [200]}]'))
    const ran = await runIn(shared.ctx, template, caseTarget(served.port))
    expect(ran.skipped).toMatch(reason)
  })
})
