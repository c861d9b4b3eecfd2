/** Signing in by steps, in a real browser. */
import { afterEach, describe, expect, test } from 'vitest'
import { memberSite, PASSWORD } from '../../tests/support/member-site.ts'
import type { SignInStep } from '../contract/sign-in.ts'
import { launchBrowser } from '../engine/browser/launch.ts'
import { readRecording } from './recording.ts'
import { closeSigning, signing } from './testing/steps.ts'

afterEach(closeSigning)

type Answer = ReturnType<typeof memberSite>['answer']
const HTML = { 'Content-Type': 'text/html' }
const FORM: readonly SignInStep[] = [
  { do: 'goto', url: '/login' },
  { do: 'fill', on: '#user', value: 'ada' },
  { do: 'fill', on: ['aria/Password', '#password'], value: PASSWORD },
]

describe('steps in a browser', () => {
  test('fill a form with a token and the code of a one-time password', async () => {
    const { signIn, told, site } = await signing(
      {
        steps: [
          ...FORM,
          { do: 'click', on: 'aria/Sign in[role="button"]' },
          { do: 'totp', on: 'input[name=code]' },
          { do: 'press', key: 'Enter' },
          { do: 'wait', text: 'Hello Ada' },
        ],
      },
      memberSite({ totp: true }),
    )
    expect((await signIn()).cookie).toContain(`sid=${site.sessions[0]}`)
    expect(told.map(({ title, ok }) => [title, ok])).toEqual([
      ['goto /login', true],
      ['fill #user', true],
      ['fill aria/Password', true],
      ['click aria/Sign in[role="button"]', true],
      ['totp input[name=code]', true],
      ['press Enter', true],
      ['wait for “Hello Ada”', true],
    ])
    const pictures = told.flatMap(({ picture }) => picture ?? [])
    expect(pictures.length).toBeGreaterThan(0)
    for (const picture of pictures) expect([...picture.subarray(0, 2)]).toEqual([0xff, 0xd8])
  })

  test('show in no picture what was typed, whatever the field is', async () => {
    const pictureWith = async (value: string): Promise<string> => {
      const site = memberSite()
      const fields =
        '<style>*{font:16px monospace}</style><input id="plain"><input id="code" autocomplete="one-time-code">'
      const { signIn, told } = await signing(
        {
          steps: [
            { do: 'goto', url: '/' },
            { do: 'fill', on: '#plain', value },
            { do: 'fill', on: '#code', value },
          ],
        },
        {
          ...site,
          answer: (_request, response) => {
            response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }).end(fields)
          },
        },
      )
      await signIn()
      await closeSigning()
      return Buffer.from(told.at(-1)?.picture ?? []).toString('base64')
    }
    const [one, other] = [await pictureWith('kanarie-1'), await pictureWith('geheim-und-lang-22')]
    expect(one.length).toBeGreaterThan(1_000)
    expect(one).toBe(other)
  })

  test.each([
    [
      'an element that never comes',
      [...FORM, { do: 'click', on: '#none', seconds: 1 }],
      '#none was not there within 1 s, at http://shop.test/login',
    ],
    [
      'a text that never comes',
      [
        { do: 'goto', url: '/login' },
        { do: 'wait', text: 'Hello', seconds: 1 },
      ],
      '“Hello” was not there within 1 s, at http://shop.test/login',
    ],
    [
      'what lies over the button',
      [
        { do: 'goto', url: '/veiled' },
        { do: 'click', on: 'button', seconds: 2 },
      ],
      'It was not done within 2 s, at http://shop.test/veiled: div.veil.open lies over it',
    ],
    ['an address of another site', [{ do: 'goto', url: 'https://evil.test/login' }], 'is of https://evil.test'],
    [
      'a selector that is none',
      [
        { do: 'goto', url: '/login' },
        { do: 'click', on: '[[', seconds: 1 },
      ],
      'It failed at http://shop.test/login',
    ],
    [
      'a key that is none',
      [
        { do: 'goto', url: '/login' },
        { do: 'press', key: 'Entr' },
      ],
      'Unknown key: "Entr"',
    ],
  ] as const)('that hang or fail by %s say which, in one sentence', async (_name, steps, sentence) => {
    const files = () => ({
      '/veiled': '<button>In</button><div class="veil open" style="position:fixed;inset:0"></div>',
    })
    const { signIn, told } = await signing({ steps: steps as unknown as SignInStep[] }, memberSite({ files }))
    await expect(signIn()).rejects.toMatchObject({ name: 'SignInFailed', message: expect.stringContaining(sentence) })
    expect(told.at(-1)).toMatchObject({ ok: false })
    expect(JSON.stringify(told)).not.toContain(PASSWORD)
  })

  test('press the real button of a form, where a library draws another in its place', async () => {
    const site = memberSite()
    const drawn: ReturnType<typeof memberSite> = {
      ...site,
      answer: (request, response) => {
        if (request.url === '/drawn')
          response
            .writeHead(200, HTML)
            .end(`<form onsubmit="location = '/login'; return false"><span style="background:blue">In</span>
              <input type=submit tabindex=-1 style="position:absolute;left:-10000px"></form>`)
        else site.answer(request, response)
      },
    }
    const steps: SignInStep[] = [
      { do: 'goto', url: '/drawn' },
      { do: 'click', on: '[type=submit]' },
      ...FORM.slice(1),
      { do: 'press', key: 'Enter' },
    ]
    expect((await (await signing({ steps }, drawn)).signIn()).cookie).toContain(`sid=${site.sessions[0]}`)
  })

  test('wait for what a script of a page that had come to rest asks for in the end', async () => {
    const site = memberSite()
    const slow: ReturnType<typeof memberSite> = {
      ...site,
      answer: (request, response) => {
        if (request.url === '/app')
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<button>In</button><script>
            // Later than the half second for which Playwright calls a page at rest.
            setTimeout(() => document.body.append('Ready'), 900)
            document.querySelector('button').onclick = async () => {
              const [, csrf] = /_csrf" value="([^"]+)/.exec(await (await fetch('/login')).text())
              await fetch('/login', { method: 'POST', body: new URLSearchParams({ user: 'ada', password: '${PASSWORD}', _csrf: csrf }) })
            }</script>`)
        // Longer than that again: who asks whether the page rests is told so before the answer has come.
        else if (request.method === 'POST') setTimeout(() => site.answer(request, response), 1_200)
        else site.answer(request, response)
      },
    }
    const { signIn } = await signing(
      {
        steps: [
          { do: 'goto', url: '/app' },
          { do: 'wait', text: 'Ready' },
          { do: 'click', on: 'button' },
        ],
      },
      slow,
    )
    expect((await signIn()).cookie).toContain(`sid=${site.sessions[0]}`)
  })

  test('tell of a page that nobody answered why that is so, and not that the site answered', async () => {
    const site = memberSite()
    const broken: ReturnType<typeof memberSite> = {
      ...site,
      answer: (request, response) => {
        if (request.url === '/broken') request.socket.destroy()
        else if (request.url === '/')
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<a href="/broken">in</a>')
        else site.answer(request, response)
      },
    }
    const goto = await signing({ steps: [{ do: 'goto', url: '/broken' }] }, broken)
    await expect(goto.signIn()).rejects.toThrow(/^It was not answered: GET http:\/\/shop\.test\/broken/)
    await closeSigning()
    const led = await signing(
      {
        steps: [
          { do: 'goto', url: '/' },
          { do: 'click', on: 'a' },
          { do: 'fill', on: '#user', value: 'a', seconds: 1 },
        ],
      },
      broken,
    )
    await expect(led.signIn()).rejects.toThrow(
      /^#user was not there within 1 s, at http:\/\/shop\.test\/broken, a page that was not answered: GET /,
    )
  })

  test('tell with what status the page answered on which nothing more is found', async () => {
    const site = memberSite()
    const { signIn } = await signing(
      {
        steps: [
          { do: 'goto', url: '/' },
          { do: 'click', on: 'button' },
          { do: 'wait', on: '#next', seconds: 1 },
        ],
      },
      {
        ...site,
        answer: (request, response) => {
          const status = request.method === 'POST' ? 401 : 200
          response
            .writeHead(status, { 'Content-Type': 'text/html' })
            .end('<form method=post><button>in</button></form>')
        },
      },
    )
    await expect(signIn()).rejects.toThrow(
      '#next was not there within 1 s, at http://shop.test/, a page that answered 401',
    )
  })

  test('nothing is typed on a page of another site', async () => {
    const site = memberSite()
    const { signIn } = await signing(
      { steps: [{ do: 'goto', url: '/to-other' }, ...FORM.slice(1)] },
      {
        ...site,
        answer: (request, response) => {
          if (request.headers.host === 'other.test')
            response.writeHead(200, { 'Content-Type': 'text/html' }).end('<input id="user"><input id="password">')
          else if (request.url === '/to-other') response.writeHead(302, { Location: 'http://other.test/' }).end()
          else site.answer(request, response)
        },
      },
    )
    await expect(signIn()).rejects.toThrow('Nothing is typed here: the page is of http://other.test')
  })

  test('give the token that a page keeps in its storage, and all else that it keeps there', async () => {
    const site = memberSite()
    const { signIn } = await signing(
      {
        steps: [{ do: 'goto', url: '/app' }],
        header: { storage: 'local', key: 'auth', pointer: '/token', line: 'Authorization: Bearer {{value}}' },
      },
      {
        ...site,
        answer: (_request, response) => {
          const script = `<script>localStorage.setItem('auth', JSON.stringify({ token: 'abc.def' })); sessionStorage.setItem('tab', '1')</script>`
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(script)
        },
      },
    )
    expect(await signIn()).toMatchObject({
      header: 'Authorization: Bearer abc.def',
      storage: {
        items: [
          { area: 'local', name: 'auth', value: '{"token":"abc.def"}' },
          { area: 'session', name: 'tab', value: '1' },
        ],
      },
    })
  })
})

test('what a closed menu holds before it is not taken for what is seen', async () => {
  const page = `<!doctype html><div hidden><p>Navigate</p><input name=user><button>Go on</button></div><p>The gate</p>
    <form action=/in><input name=user><button>Go on</button></form>`
  const answer: Answer = (_, response) => void response.writeHead(200, { ...HTML, 'Set-Cookie': 'sid=1' }).end(page)
  const steps: readonly SignInStep[] = [
    { do: 'goto', url: '/' },
    { do: 'wait', text: 'gate', seconds: 5 },
    { do: 'fill', on: 'input[name=user]', value: 'ada', seconds: 5 },
  ]
  const { signIn, told } = await signing({ steps: [...steps] }, { ...memberSite(), answer })
  expect((await signIn()).cookie).toBe('sid=1')
  expect(told.map(({ ok }) => ok)).toEqual([true, true, true])
})

test.each<[string, SignInStep, string]>([
  ['a text', { do: 'wait', text: 'Log out', seconds: 1 }, 'sid=1'],
  ['an element', { do: 'wait', on: 'a[href="/out"]', seconds: 1 }, 'sid=1'],
  ['nothing of the page', { do: 'wait', text: 'Sign out', seconds: 1 }, '“Sign out” was not there within 1 s'],
])('%s may stand in a menu that nobody opens when it is waited for: the proof tells', async (_what, wait, outcome) => {
  const page = '<!doctype html><p>Hello<ul hidden><li><a href=/out>Log out</a></ul>'
  const answer: Answer = (_, response) => void response.writeHead(200, { ...HTML, 'Set-Cookie': 'sid=1' }).end(page)
  const { signIn } = await signing({ steps: [{ do: 'goto', url: '/' }, wait] }, { ...memberSite(), answer })
  const told = await signIn().then(
    ({ cookie }) => cookie,
    (error: Error) => error.message,
  )
  expect(told).toContain(outcome)
})

/** For the page it is as a loop without end, and takes nothing of the processor: it waits for what is never answered. */
const ENDLESS = "const never = new XMLHttpRequest(); never.open('GET', '/never', false); never.send()"

describe('pages that do not hold still', () => {
  const page = (script: string) => ({
    ...memberSite(),
    answer: ((request, response) => {
      if (request.url === '/never') return
      const headers = { 'Content-Type': 'text/html', 'Set-Cookie': 'sid=1' }
      response.writeHead(200, headers).end(`<p>Hello Ada<script>${script}</script>`)
    }) as ReturnType<typeof memberSite>['answer'],
  })

  test('whose script never ends fail the step that looks at it, in one sentence', async () => {
    const { signIn } = await signing(
      {
        steps: [
          { do: 'goto', url: '/app' },
          { do: 'wait', on: '#never', seconds: 1 },
        ],
      },
      page(`document.addEventListener('DOMContentLoaded', () => setTimeout(() => { ${ENDLESS} }))`),
      launchBrowser,
    )
    await expect(signIn()).rejects.toThrow(
      'The page at http://shop.test/app answered nothing for 4 s: a script may never end',
    )
  })

  test('and go on to another one for ever cost nobody the sign-in', async () => {
    const { signIn } = await signing(
      { steps: [{ do: 'goto', url: '/app' }] },
      page('sessionStorage.tab = 1; setTimeout(() => location.reload(), 40)'),
      launchBrowser,
    )
    expect(await signIn()).toMatchObject({ cookie: 'sid=1', header: null })
  })
})

describe('a recording of Chrome DevTools', () => {
  const RECORDING = {
    title: 'Sign in',
    steps: [
      { type: 'setViewport', width: 1200, height: 900 },
      { type: 'navigate', url: 'http://shop.test/login', assertedEvents: [] },
      {
        type: 'click',
        selectors: [['aria/User'], ['#user'], ['xpath///*[@id="user"]'], ['pierce/#user']],
        offsetX: 3,
        offsetY: 4,
      },
      { type: 'change', value: 'ada', selectors: [['aria/User'], ['#user']] },
      { type: 'keyDown', key: 'Tab' },
      { type: 'keyUp', key: 'Tab' },
      { type: 'change', value: PASSWORD, selectors: [['#shadow-host', '#none'], ['#password']] },
      { type: 'click', selectors: [['aria/Sign in'], ['form > button']] },
      { type: 'customStep', name: 'x' },
    ],
  }

  test('becomes steps, and signs in', async () => {
    const read = readRecording(RECORDING, 'shop.test')
    if (typeof read === 'string') throw new Error(read)
    expect(read.left).toEqual(['customStep'])
    expect(read.steps[0]).toEqual({ do: 'goto', url: '/login' })
    expect(read.steps.map((one) => one.do)).toEqual(['goto', 'click', 'fill', 'press', 'fill', 'click'])
    const { signIn, site } = await signing({ steps: [...read.steps] })
    expect((await signIn()).cookie).toContain(`sid=${site.sessions[0]}`)
  })

  test.each([
    ['something else', { a: 1 }, 'is no recording of Chrome DevTools'],
    ['steps without a type', { steps: [{}] }, 'is no recording of Chrome DevTools'],
    ['one that begins nowhere', { steps: [{ type: 'click', selectors: [['#a']] }] }, 'does not begin with a page'],
  ] as const)('is none: %s', (_name, given, sentence) => {
    expect(readRecording(given, 'shop.test')).toEqual(expect.stringContaining(sentence))
  })

  test('of another site keeps its addresses, which are refused where they are stored', () => {
    const read = readRecording(RECORDING, 'other.test')
    expect(typeof read === 'string' ? read : read.steps[0]).toEqual({ do: 'goto', url: 'http://shop.test/login' })
  })
})
