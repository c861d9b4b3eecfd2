/** A site with accounts whose sessions have each flaw, or none: by what `flaws` names. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { caseAddress } from '../../../testing/collecting.ts'

export type Flaw =
  | 'keeps the identifier'
  /** None by itself: the cookie has other letters with each answer, as where it is encrypted. */
  | 'writes the identifier anew'
  | 'takes any identifier'
  | 'signs out the browser alone'
  | 'counts visits'
  | 'hashes the time'
  | 'draws four digits'
  /** Who is nobody has none, and who signs in has the next number. */
  | 'counts sign-ins'
  /** None: likewise, by chance. */
  | 'begins with the sign-in'
  | 'has no token'
  | 'does without the token'
  | 'changes by a link'
  /** Shown by a list apart from its form. */
  | 'takes transfers from anywhere'
  /** None: refused, and the notice names what was sent. */
  | 'tells once what it refused'
  | 'opens to any origin'
  | 'opens to nobody too'
  /** None: whom it does not let in it says nothing to. */
  | 'closes without a word'
  /** A cookie beside the session says by a number whose page is shown. */
  | 'believes a number'
  /** Who ticks the box is known by a number from then on. */
  | 'remembers by a number'
  /** Likewise by name. */
  | 'remembers by a name'
  /** None: who is nobody has no session until a form is shown. */
  | 'begins with forms alone'
  /** None: a number in a cookie says how many rows a page has. */
  | 'counts rows in a cookie'
  /** None: what no form can send is asked for. */
  | 'takes transfers of scripts alone'
  | 'tells in a script'
  | 'tells in a file of scripts'
  /** Its answer in JSON is a script for who names a function. */
  | 'wraps what it answers'
  /** None: its script cannot be read by who includes it. */
  | 'tells behind a loop'
  /** None: whoever brings an identifier that nobody was given is answered nothing. */
  | 'turns made-up identifiers away'

export interface Site {
  readonly address: string
  /** `METHOD path` of each request. */
  readonly asked: readonly string[]
  readonly account: { phone: string; city: string }
  readonly close: () => Promise<void>
}

interface Person {
  user: string | null
  readonly token: string
}

const fresh = (): string => randomBytes(16).toString('hex')

export const serveSite = async (
  last: number,
  flaws: readonly Flaw[],
  sameSite: '' | '; SameSite=Strict' | '; SameSite=Lax' = '',
): Promise<Site> => {
  const has = (flaw: Flaw): boolean => flaws.includes(flaw)
  const sessions = new Map<string, Person>()
  const account = { phone: '040-123456', city: 'Bremen' }
  const asked: string[] = []
  const transfers: string[] = []
  let visits = 4_000
  let notice = ''

  const beginsSignedIn = has('counts sign-ins') || has('begins with the sign-in')
  const idOf = ({ headers }: IncomingMessage): string => /\bsid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
  const give = (response: ServerResponse, id: string): void => {
    const salt = has('writes the identifier anew') ? `.${fresh()}` : ''
    response.appendHeader('Set-Cookie', `sid=${id}${salt}; Path=/; HttpOnly${sameSite}`)
  }
  const begin = (response: ServerResponse, given?: string): string => {
    const id = given ?? fresh()
    sessions.set(id, { user: null, token: fresh() })
    give(response, id)
    return id
  }
  /** Who asks, with a session of their own if they had none. */
  const sessionOf = (request: IncomingMessage, response: ServerResponse): readonly [string, Person] => {
    const id = idOf(request)
    const known = sessions.get(id)
    if (known !== undefined && has('writes the identifier anew')) give(response, id)
    if (known !== undefined) return [id, known]
    const path = new URL(request.url ?? '/', 'http://shop.test').pathname
    if (beginsSignedIn || (has('begins with forms alone') && request.method === 'GET' && path !== '/visit'))
      return ['', { user: null, token: '' }]
    const made = begin(response, has('takes any identifier') && id !== '' ? id : undefined)
    return [made, sessions.get(made) as Person]
  }
  const page = (response: ServerResponse, html: string): void =>
    void response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Club</title>${html}`)
  const visit = (): string => {
    if (has('counts visits')) {
      visits += 1
      return String(visits)
    }
    if (has('hashes the time'))
      return createHash('md5')
        .update(String(Math.floor(Date.now() / 1_000)))
        .digest('hex')
    return has('draws four digits') ? String(1_000 + (randomBytes(2).readUInt16BE() % 9_000)) : fresh()
  }
  /** Whom a cookie names that is believed. */
  const namedIn = ({ headers }: IncomingMessage): string | null => {
    const uid = has('believes a number') ? /\buid=(\d+)/.exec(headers.cookie ?? '')?.[1] : undefined
    const keep = has('remembers by a number') ? /\bkeep=([\w=%]+)/.exec(headers.cookie ?? '')?.[1] : undefined
    const number = uid ?? (keep === undefined ? undefined : atob(decodeURIComponent(keep)))
    const name = has('remembers by a name') ? /\bwho=(\w+)/.exec(headers.cookie ?? '')?.[1] : undefined
    return { 7: 'ada', 8: 'ben' }[number ?? ''] ?? ['ada', 'ben'].find((one) => one === name) ?? null
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.test')
    asked.push(`${request.method} ${url.pathname}`)
    const body = new URLSearchParams(await text(request))
    const brought = idOf(request)
    if (has('turns made-up identifiers away') && brought !== '' && !sessions.has(brought))
      return void response.writeHead(400).end('No such session.')
    const [id, signedIn] = sessionOf(request, response)
    const person = { ...signedIn, user: namedIn(request) ?? signedIn.user }
    const posts = request.method === 'POST'
    const field = `<input type=hidden name=csrf_token value=${person.token}>`
    // An interface beside the pages, which reads a header alone.
    if (url.pathname === '/api/me') {
      const isIn = request.headers.authorization === 'Bearer right'
      return void response.writeHead(isIn ? 200 : 401).end(isIn ? '{"user":"ada"}' : '{}')
    }
    if (url.pathname === '/login' && posts) {
      if (body.get('user') !== 'ada' || body.get('password') !== 'right')
        return page(response, '<p>Wrong user or password.</p>')
      if (has('believes a number')) response.appendHeader('Set-Cookie', 'uid=7; Path=/')
      if (has('counts rows in a cookie')) response.appendHeader('Set-Cookie', 'rows=7; Path=/')
      if (has('remembers by a number') && body.get('remember') === '1')
        response.appendHeader('Set-Cookie', `keep=${btoa('7')}; Path=/`)
      if (has('remembers by a name') && body.get('remember') === '1')
        response.appendHeader('Set-Cookie', 'who=ada; Path=/')
      if (has('keeps the identifier')) signedIn.user = 'ada'
      else {
        sessions.delete(id)
        visits += 1
        ;(sessions.get(begin(response, has('counts sign-ins') ? String(visits) : undefined)) as Person).user = 'ada'
      }
      return void response.writeHead(303, { Location: '/account' }).end()
    }
    if (url.pathname === '/login')
      return page(
        response,
        '<form method=post action=/login><input name=user><input type=password name=password><input type=checkbox name=remember value=1></form>',
      )
    if (url.pathname === '/visit' && posts) response.appendHeader('Set-Cookie', `visitSession=${visit()}; Path=/`)
    if (url.pathname === '/visit')
      return page(response, '<form method=post action=/visit><button>Begin</button></form>')
    if (url.pathname === '/unread') {
      const told = person.user === null || !has('tells in a script') ? { unread: 0 } : { unread: 2, login: person.user }
      return void response
        .setHeader('Content-Type', 'text/html')
        .end(`${url.searchParams.get('callback')}(${JSON.stringify(told)});`)
    }
    if (url.pathname === '/start')
      return page(response, '<script src="/me.js"></script><script src="/app.js"></script>')
    if (url.pathname === '/me.js' || url.pathname === '/app.js') {
      const user = url.pathname === '/me.js' && has('tells in a file of scripts') ? person.user : null
      return void response
        .setHeader('Content-Type', 'text/javascript')
        .end(`var me = { userName: '${user ?? 'guest'}' };`)
    }
    if (url.pathname === '/who') {
      const data = JSON.stringify({ login: person.user ?? 'guest' })
      const name = has('wraps what it answers') ? url.searchParams.get('callback') : null
      return void response
        .setHeader('Content-Type', name === null ? 'application/json' : 'text/javascript')
        .end(name === null ? data : `${name}(${data});`)
    }
    if (url.pathname === '/who.js') {
      const loop = has('tells behind a loop') ? 'for(;;);' : ''
      const user = has('tells behind a loop') ? person.user : null
      return void response
        .setHeader('Content-Type', 'text/javascript')
        .end(`${loop}var page = {"login": "${user ?? 'guest'}"};`)
    }
    if (person.user === null) return void response.writeHead(303, { Location: '/login' }).end()
    if (url.pathname === '/logout' || body.get('__EVENTTARGET') === 'ctl00$lnkSignOut') {
      if (!has('signs out the browser alone')) sessions.delete(id)
      response.appendHeader('Set-Cookie', 'sid=; Path=/; Max-Age=0')
      return void response.writeHead(303, { Location: '/login' }).end()
    }
    if (url.pathname === '/phone' && posts) {
      const given = body.get('csrf_token')
      const isTaken = has('has no token') || given === person.token || (has('does without the token') && given === null)
      if (!isTaken) {
        if (has('tells once what it refused')) notice = `<p>Not saved: ${body.get('phone')}</p>`
        return void response.writeHead(403).end('The form has expired.')
      }
      account.phone = body.get('phone') ?? ''
    }
    if (url.pathname === '/phone') {
      const told = notice
      notice = ''
      return page(
        response,
        `${told}<form method=post action=/phone>${has('has no token') ? '' : field}<input name=phone value="${account.phone}"><button>Save</button></form>`,
      )
    }
    if (url.pathname === '/transfer') {
      const isOwn = request.headers.origin === 'http://shop.test'
      const isOfScript = has('takes transfers of scripts alone') && request.headers['x-requested-with'] !== undefined
      if (posts && (isOwn || isOfScript || has('takes transfers from anywhere')))
        transfers.push(body.get('purpose') ?? '')
      return page(response, '<form method=post action=/transfer><input name=purpose value=rent></form>')
    }
    if (url.pathname === '/transfers')
      return page(response, `<ul>${transfers.map((one) => `<li>${one}</li>`).join('')}</ul>`)
    if (url.pathname === '/city') {
      if (url.searchParams.has('city') && has('changes by a link')) account.city = url.searchParams.get('city') ?? ''
      return page(
        response,
        `<form action=/city><input name=city value="${account.city}"><button>Change</button></form>`,
      )
    }
    const rows = has('counts rows in a cookie')
      ? Number(/\brows=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 3)
      : 0
    const list = Array.from({ length: Math.min(rows, 50) }, (_, index) => `<li>Letter ${index}</li>`).join('')
    page(
      response,
      `<p>Signed in as ${person.user}</p><ul>${list}</ul><a href=/logout>Sign out</a><form method=post><input type=hidden name=__EVENTTARGET></form>`,
    )
  })
  server.on('upgrade', (request, socket) => {
    asked.push(`UPGRADE ${request.url}`)
    const isKnown = sessions.get(idOf(request))?.user === 'ada'
    const isOwn = request.headers.origin === 'http://shop.test'
    const isLetIn = (isOwn || has('opens to any origin')) && (isKnown || has('opens to nobody too'))
    if (!isLetIn && has('closes without a word')) return void socket.destroy()
    if (!isLetIn) return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const said = Buffer.from(isKnown ? 'hello ada, two messages' : 'hello')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.end(Buffer.concat([Buffer.from([0x81, said.length]), said]))
  })
  const address = caseAddress(last)
  server.listen(80, address)
  await once(server, 'listening')
  return {
    ...{ address, asked, account },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
