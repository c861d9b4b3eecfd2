/** The session of a run that signs in: begun before the first module, watched over to the end. */
import type { AuditEntry } from '../contract/event.ts'
import { addressesOf, type SignIn } from '../contract/identity.ts'
import { sleep } from '../contract/sleep.ts'
import { type Credentials, hasCredentials } from '../egress/door/credentials.ts'
import { EgressError, type HttpRequest } from '../egress/door/egress.ts'
import { targetFailure } from '../egress/door/target-failure.ts'
import { RunFailure } from '../modules/endings.ts'
import type { RunIdentity, RunSession } from '../modules/module.ts'
import { spareBorder } from '../safety/border.ts'
import { accountOf } from '../sign-in/account.ts'
import { drawnProof, NEEDS_TEXT } from '../sign-in/drawn.ts'
import { SignInFailed } from '../sign-in/failure.ts'
import { signInFormOf } from '../sign-in/form.ts'
import { createKeeper } from '../sign-in/keeper.ts'
import { leadingOf } from '../sign-in/leading.ts'
import { leadsBySteps } from '../sign-in/leads-by-steps.ts'
import { type PageStorage, storageOffers, textsOf } from '../sign-in/page-storage.ts'
import { proven } from '../sign-in/proof.ts'
import { createSignIn, isOfPages, type Session, type SignInPorts } from '../sign-in/sign-in.ts'
import { spareOf } from '../sign-in/spare.ts'
import { createStanding } from '../sign-in/standing.ts'
import type { Asked } from '../sign-in/suspects.ts'
import { originOf } from '../sign-in/visitor.ts'
import type { OwnCredentials, RunSpec } from './protocol.ts'
import { redactedEntry } from './redaction.ts'
import type { LaunchBrowser, ScanEgress } from './run.ts'

/** In the audit log, and as the name of its share of the requests. */
const SIGN_IN = 'sign-in'
/** Requests for all sign-ins and proofs of a run. */
const MOST_REQUESTS = 20_000

export interface SessionParts {
  readonly spec: Pick<RunSpec, 'credentials' | 'identities' | 'target' | 'options'>
  readonly egress: ScanEgress
  readonly signal: AbortSignal
  readonly audit: (entry: AuditEntry) => void
  readonly launchBrowser: LaunchBrowser
  readonly log: (line: string) => void
  /** The provider has replaced the refresh token of this line. */
  readonly replaced?: (lineage: string, token: string) => void
  /** Requests that ended the session of one of those who look: they are left alone for all. */
  readonly ending: Asked[]
}

/** What requests carry now, and who watches over it; null where it is what the run was given, and nobody does. */
export interface LiveSession {
  readonly credentials: () => Credentials
  /** What its pages keep beside, see `signedInPages`. */
  readonly storage: () => PageStorage
  /** The origin whose pages alone have the session, as they keep it and send it elsewhere; null where requests carry it. */
  readonly ofPages: string | null
  readonly watched: RunSession | null
}

/** @throws RunFailure `auth_rejected` where nobody is signed in in the end */
export const openSession = async (parts: SessionParts): Promise<LiveSession> => {
  const { signIn, lineage, ...given } = parts.spec.credentials
  if (signIn?.proof === undefined) return asGiven(given)
  try {
    return await begin(parts, {
      ...{ given, how: signIn, proof: signIn.proof, as: null, carriedBy: parts.egress, lineage },
    })
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const detail = parts.egress.redact.text(error.message)
    throw new RunFailure('auth_rejected', `Signing in did not work: ${detail}.`, { cause: error })
  }
}

/** As modules know it, and what stands behind it. */
export interface LiveIdentity extends RunIdentity {
  readonly begin: () => Promise<Awaited<ReturnType<RunIdentity['begin']>> & { readonly live: LiveSession | null }>
}

/** Everybody as whom this run can ask; the others than the first sign in when they are first wanted. */
export const identitiesOf = (parts: SessionParts, own: LiveSession): readonly LiveIdentity[] => {
  const { credentials, identities = [] } = parts.spec
  if (!hasCredentials(credentials) || own.ofPages !== null) return []
  const [first = GIVEN, ...others] = identities
  return [
    {
      name: first.name,
      role: first.role,
      as: null,
      begin: async () => ({ session: own.watched, failed: null, live: own }),
    },
    ...others.flatMap((one) => (one.credentials === null ? [] : [otherOf(parts, one.name, one.role, one.credentials)])),
  ]
}
const GIVEN = { name: 'as given', role: '' }

const otherOf = (parts: SessionParts, name: string, role: string, credentials: OwnCredentials): LiveIdentity => {
  const { signIn, lineage, ...given } = credentials
  let begun: ReturnType<LiveIdentity['begin']> | null = null
  const once: LiveIdentity['begin'] = async () => {
    const carriedBy = parts.egress.other(name, given)
    if (signIn?.proof === undefined) return { session: null, failed: null, live: asGiven(given) }
    try {
      const live = await begin(parts, {
        ...{ given, how: signIn, proof: signIn.proof, as: name, carriedBy, lineage },
      })
      return { session: live.watched, failed: null, live }
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      return { session: null, failed: parts.egress.redact.text(error.message), live: null }
    }
  }
  return {
    ...{ name, role, as: name },
    begin: () => {
      begun ??= once()
      return begun
    },
  }
}

interface Beginning {
  readonly given: Credentials
  readonly how: SignIn
  readonly proof: NonNullable<SignIn['proof']>
  /** Another identity; null of the run's own. */
  readonly as: string | null
  /** Whose requests carry the session. */
  readonly carriedBy: Pick<ScanEgress, 'become' | 'watch'>
  readonly lineage: string | undefined
}

const begin = async (
  { spec, egress, signal, audit, launchBrowser, log, replaced, ending }: SessionParts,
  { given, how, proof, as, carriedBy, lineage }: Beginning,
): Promise<LiveSession> => {
  const { host, port } = spec.target
  const domain = port === null ? host : `${host}:${port}`
  const handle = egress.forModule(SIGN_IN, { requests: MOST_REQUESTS, signal, judge: null, signsIn: true })
  const door = as === null ? handle : { ...handle, http: (request: HttpRequest) => handle.http({ ...request, as }) }
  const tell = (event: string, said: string): void => {
    const detail = as === null ? said : `${as}: ${said}`
    audit(redactedEntry(egress.redact, { ts: new Date().toISOString(), module: SIGN_IN, event, detail }))
  }
  const signsIn = how.request !== undefined || how.steps !== undefined || how.oauth2 !== undefined
  const ports: SignInPorts = {
    egress: door,
    place: { domain, hosts: spec.options.sign_in_hosts ?? [] },
    clock: Date.now,
    browser: { open: () => launchBrowser(door, signal, (line) => log(egress.redact.text(line))) },
    sleep: (milliseconds) => sleep(milliseconds, signal),
    replaced: async (token) => {
      egress.hide({ cookie: null, header: `Refresh-Token: ${token}` })
      if (lineage !== undefined) replaced?.(lineage, token)
    },
    told: ({ title, ok, detail }) =>
      tell('sign_in_step', `${title}: ${ok ? 'done' : 'failed'}${detail === null ? '' : `: ${detail}`}`),
  }
  const again = signsIn ? createSignIn(how, ports) : null
  let now: Session = again
    ? await again()
    : { ...given, storage: storageOf(given), origin: await originOf(door, domain), expiresAt: null }
  const become = (session: Session, isPassing = false): void => {
    now = session
    const inBodies = session.member === undefined ? [] : [{ name: 'token', value: session.member.value }]
    carriedBy.become({ ...session, kept: [...textsOf(session.storage), ...inBodies] }, isPassing)
  }
  if (isOfPages(now)) return inPages(now, proof, { ...ports, carriedBy, tell })
  const prove = createStanding(proof, {
    prove: () => proven(door, now.origin, proof),
    asNobody: () => proven(door, now.origin, proof, false),
    told: (detail) => tell('proof_changed', detail),
  })
  become(now)
  const { isSignedIn, why, answer } = await prove()
  if (isSignedIn !== true) throw new SignInFailed(`it is not proven: ${why}`)
  tell('signed_in', proof.path)
  const paths = new Set(addressesOf(how).map(({ address }) => new URL(address, now.origin).pathname))
  const keeper = createKeeper(now, {
    ...{ signIn: again, prove, become, told: tell, clock: Date.now, ending },
    ask: async (url, headers = []) => {
      try {
        return await door.http({ url, headers, maxBody: 0 })
      } catch (error) {
        if (targetFailure(error) === null) throw error
        return null // Without an answer it has not ended anything.
      }
    },
    isSignIn: (url) =>
      url.host !== new URL(now.origin).host || paths.has(url.pathname) || SIGN_IN_PATH.test(url.pathname),
  })
  if (answer) keeper.saw(answer)
  carriedBy.watch(keeper)
  const leading = leadingOf(how, now.origin, ports)
  const leads = leading === null ? leadsBySteps(how, now.origin, ports) : { ...leading, by: 'header' as const }
  const account = accountOf(how)
  const form = signInFormOf(how, now.origin)
  const admitted = spareBorder({ environment: spec.target.environment ?? 'production', excludes: door.excludes })
  const spare = spareOf(how, now.origin, proof, {
    ...ports,
    hide: egress.hide,
    admit: ({ method = 'GET', url, body, headers = [] }) => {
      const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
      const reason = admitted({ method, url, contentType, body: body === undefined ? null : String(body) })
      if (reason !== null) throw new EgressError('excluded', `${method} ${url} is left alone: ${reason}`)
    },
  })
  return {
    credentials: () => now,
    storage: () => now.storage,
    ofPages: null,
    watched: {
      proofAt: new URL(proof.path, now.origin).href,
      ...{ session: keeper.session, lost: keeper.lost, proofs: keeper.proofs, prove: keeper.prove },
      ...{ unproven: keeper.unproven, doubtful: keeper.doubtful },
      ...(account === null ? {} : { account }),
      ...(leading === null ? {} : { leading }),
      ...(leads === null ? {} : { leads }),
      ...(form === null ? {} : { form }),
      ...(spare === null ? {} : { spare }),
      answers: () => now.answers ?? [],
      ...(now.landed === undefined ? {} : { landed: now.landed }),
    },
  }
}

/** Proven once: nothing that is asked by requests hangs on it, and a page that has lost it shows so. */
const inPages = async (
  session: Session,
  { path, text }: NonNullable<SignIn['proof']>,
  {
    browser,
    carriedBy,
    tell,
  }: Pick<SignInPorts, 'browser'> &
    Pick<Beginning, 'carriedBy'> & { readonly tell: (event: string, said: string) => void },
): Promise<LiveSession> => {
  const { origin, storage } = session
  carriedBy.become({ ...session, kept: textsOf(storage) })
  const why =
    text === undefined ? NEEDS_TEXT : await drawnProof(browser, new URL(path, origin).href, text, storage.items)
  if (why !== null) throw new SignInFailed(`it is not proven: ${why}`)
  tell('signed_in', path)
  return { credentials: () => session, storage: () => storage, ofPages: origin, watched: null }
}

const asGiven = (given: Credentials): LiveSession => {
  const storage = storageOf(given)
  return { credentials: () => given, storage: () => storage, ofPages: null, watched: null }
}

const storageOf = ({ header }: Credentials): PageStorage => ({ items: [], offers: storageOffers(header) })

/** Where applications send those whom they do not know. */
const SIGN_IN_PATH =
  /(?:^|[/_.-])(?:log_?-?in|sign_?-?in|signin|login|auth|sso|saml|session\/new|anmelden)(?:[/_.-]|$)/i
