import { judgeCases } from '../../testing/judge-cases.ts'
import type { ForgedSeen, IdentifierSeen, SessionsFacts, Shown, SocketSeen, Topic } from './facts.ts'
import { sessionFixation } from './fixation.ts'
import { forgedRequest } from './forged.ts'
import { sessionIdentifiers } from './identifiers.ts'
import { passwordChange } from './password-change.ts'
import { scriptInclusion } from './scripts.ts'
import { aliveAfterSignOut } from './sign-out.ts'
import { webSockets } from './sockets.ts'
import { trustedCookie } from './trusted.ts'

const shown: Shown = {
  ...{ method: 'POST', url: 'https://shop.test/login?from=a', excerpt: 'POST /login\nstatus 302', mark: 'status 302' },
  replay: 'curl -isk https://shop.test/login',
}
const nothing: Topic<never> = { none: null, known: 0, asked: 0, left: {}, seen: [] }
const topic = <Seen>(seen: readonly Seen[], change: Partial<Topic<Seen>> = {}): Topic<Seen> => ({
  ...{ none: null, known: 1, asked: 1, left: {}, seen },
  ...change,
})
const facts = (change: Partial<SessionsFacts>): SessionsFacts => ({
  ...{ fixation: nothing, identifiers: nothing, signOut: nothing, forged: nothing, sockets: nothing },
  ...change,
})
const short = { asked: 0, left: { 'without an answer': 1 } }
const kept = { none: { state: 'not_tested', reason: 'only on a test system' } } as const

const fixed = { ...shown, cookies: ['sid'], ways: ['kept'] as const }
judgeCases(sessionFixation, [
  { name: 'kept', facts: facts({ fixation: topic([fixed]) }), expect: ['sessions/fixation'] },
  {
    name: 'planted',
    facts: facts({ fixation: topic([{ ...fixed, ways: ['planted'] }]) }),
    expect: ['sessions/fixation'],
  },
  { name: 'renewed', facts: facts({ fixation: topic([]) }), expect: [] },
  { name: 'none', facts: facts({}), expect: [], unjudged: 'not_applicable' },
  { name: 'no sign-in by requests', facts: facts({ fixation: topic([], kept) }), expect: [], unjudged: 'not_tested' },
])

const identifier = (kind: IdentifierSeen['kind']): IdentifierSeen => ({
  ...{ ...shown, cookie: 'sid', kind, made: 'the time in seconds', samples: 12 },
})
judgeCases(sessionIdentifiers, [
  {
    name: 'one of each',
    facts: facts({ identifiers: topic([identifier('guessed'), identifier('short')], { known: 2, asked: 2 }) }),
    expect: ['sessions/predictable-identifier', 'sessions/short-identifier'],
  },
  { name: 'nothing to see', facts: facts({ identifiers: topic([]) }), expect: [] },
  {
    name: 'one of two, the other not asked to the end',
    facts: facts({
      identifiers: topic([identifier('guessed')], { known: 2, left: { 'of which the site gave too few': 1 } }),
    }),
    ...{ expect: ['sessions/predictable-identifier'], unjudged: 'inconclusive' },
  },
  { name: 'none', facts: facts({}), expect: [], unjudged: 'not_applicable' },
])

judgeCases(aliveAfterSignOut, [
  {
    name: 'a cookie and a token',
    facts: facts({
      signOut: topic([
        { ...shown, carriedBy: 'cookie', isSeen: true },
        { ...shown, url: 'https://shop.test/api/logout', carriedBy: 'header', isSeen: false },
      ]),
    }),
    expect: ['sessions/alive-after-sign-out', 'sessions/alive-after-sign-out'],
  },
  { name: 'over', facts: facts({ signOut: topic([]) }), expect: [] },
  { name: 'not answered', facts: facts({ signOut: topic([], short) }), expect: [], unjudged: 'not_tested' },
])

const forged = (change: Partial<ForgedSeen>): ForgedSeen => ({
  ...{ ...shown, parameter: 'city', guard: 'none', sameSite: 'none', page: 'https://shop.test/city' },
  ...change,
})
judgeCases(forgedRequest, [
  ...(['none', 'optional', 'link'] as const).map((guard) => ({
    name: `taken: ${guard}`,
    facts: facts({ forged: topic([forged({ guard })]) }),
    expect: ['sessions/forged-request'],
  })),
  {
    name: 'a cookie that the run was given',
    facts: facts({ forged: topic([forged({ sameSite: null })]) }),
    expect: ['sessions/forged-request'],
  },
  { name: 'refused', facts: facts({ forged: topic([]) }), expect: [] },
  { name: 'production', facts: facts({ forged: topic([], kept) }), expect: [], unjudged: 'not_tested' },
])

const socket = (kind: SocketSeen['kind'], bytes = 7): SocketSeen => ({ ...shown, kind, sameSite: 'absent', bytes })
judgeCases(webSockets, [
  {
    name: 'with the session',
    facts: facts({ sockets: topic([socket('session')]) }),
    expect: ['sessions/websocket-hijacking'],
    unjudged: 'not_applicable',
  },
  {
    name: 'for anybody, silent',
    facts: facts({ sockets: topic([socket('anybody', 0)]) }),
    expect: ['sessions/websocket-origin'],
  },
  { name: 'refused', facts: facts({ sockets: topic([]) }), expect: [] },
  { name: 'none', facts: facts({}), expect: [], unjudged: 'not_applicable' },
])

const trusted = { ...shown, cookie: 'uid', says: 'a number', way: 'beside' } as const
judgeCases(trustedCookie, [
  { name: 'believed', facts: facts({ trusted: topic([trusted]) }), expect: ['sessions/trusted-cookie'] },
  { name: 'of no effect', facts: facts({ trusted: topic([]) }), expect: [] },
  { name: 'none', facts: facts({ trusted: nothing }), expect: [], unjudged: 'not_applicable' },
  { name: 'facts of an older run', facts: facts({}), expect: [], unjudged: 'not_tested' },
])

const script = { ...shown, names: ['login'], what: ['who is signed in'], sameSite: 'none' }
judgeCases(scriptInclusion, [
  { name: 'told', facts: facts({ scripts: topic([script]) }), expect: ['sessions/script-inclusion'] },
  { name: 'nothing told', facts: facts({ scripts: topic([]) }), expect: [] },
  { name: 'no script', facts: facts({ scripts: nothing }), expect: [], unjudged: 'not_applicable' },
  { name: 'facts of an older run', facts: facts({}), expect: [], unjudged: 'not_tested' },
])

const changed = { ...shown, page: 'https://shop.test/account', names: ['new_password', 'repeat'] }
judgeCases(passwordChange, [
  {
    name: 'without the one before',
    facts: facts({ passwords: topic([changed]) }),
    expect: ['sessions/password-change-unverified'],
  },
  { name: 'with it', facts: facts({ passwords: topic([]) }), expect: [] },
  { name: 'none', facts: facts({ passwords: nothing }), expect: [], unjudged: 'not_applicable' },
  {
    name: 'nobody signed in',
    facts: facts({ passwords: topic([], { none: { state: 'not_tested', reason: 'nobody was signed in' } }) }),
    ...{ expect: [], unjudged: 'not_tested' as const },
  },
])
