/**
 * The interface of a scan module: facts first, judgement second.
 * `collect` is the only step that touches the target; `checks` are pure, so a stored run can be judged again.
 */
import type { DescribedInterface } from '../contract/described.ts'
import type { EvidenceFile, EvidenceRef } from '../contract/evidence.ts'
import type { Confidence, CveMatch, Location, Proof, Severity } from '../contract/finding.ts'
import type { FactTable } from '../contract/findings-file.ts'
import type { Environment, RunOptions, SiteContext, Tier } from '../contract/run.ts'
import type { Egress, HeaderPairs, HttpExchange, HttpRequest } from '../egress/door/egress.ts'
import type { OutOfBand } from '../egress/oob/out-of-band.ts'
import type { PageKind } from '../page/page.ts'
import type { Anew } from './anew.ts'
import type { ModuleBrowser } from './browser.ts'
import type { ContextGroup } from './context.ts'
import type { Facts, ModuleId } from './facts.ts'
import type { ReachPart } from './reach.ts'
import type { RunScope } from './run-scope.ts'

export type Known<Need extends ModuleId> = { readonly [Id in Need]: Facts[Id] }

/** Facts of modules that may have failed or been left out. */
export type Perhaps<Use extends ModuleId> = { readonly [Id in Use]?: Facts[Id] | undefined }

export interface ScanTarget {
  /** ASCII host name without port. */
  readonly host: string
  /** The port registered with the domain, or null for the defaults (80 and 443). */
  readonly port: number | null
  readonly context: SiteContext | null
  readonly tier: Tier
  /** What the domain is to its owner; absent in facts of older runs, which were as careful as on 'production'. */
  readonly environment?: Environment
}

/** What the operator set for modules, by configuration. */
export interface ModuleSettings {
  /** SONDE_PORTS: `top`, `all`, or a list like `22,80,8000-8100`. Default `top`. */
  readonly ports?: string
  /** Folder of imported Recog XML files. */
  readonly recogFolder?: string
  /** Folder of a template catalogue (SONDE_TEMPLATES), in place of an imported one. */
  readonly templatesFolder?: string
}

export interface CollectContext {
  readonly target: ScanTarget
  readonly options: RunOptions
  /** Absent where the operator set nothing. */
  readonly settings?: ModuleSettings
  readonly egress: Egress
  /** Addresses that tell when the target calls them. Absent without a listener (SONDE_OOB_ADDRESS): what needs one is `not tested`, never a pass. */
  readonly outOfBand?: OutOfBand
  /**
   * The module's own browser, launched when first asked for and ended with the module.
   * @throws ModuleEnding `skipped` where none is installed: let it pass, or catch it and go on without
   */
  readonly browser: () => Promise<ModuleBrowser>
  /** Aborted on cancel, on the module's deadline and on the run's. */
  readonly signal: AbortSignal
  /** What modules of this run share while it lasts. */
  readonly scope: RunScope
  /** What the module is doing, for a person: "214 of 331 cipher suites". `fraction` is 0 to 1. */
  readonly progress: (detail: string, fraction?: number) => void
  readonly evidence: (file: EvidenceFile) => EvidenceRef
  /**
   * For people who watch: what it has found so far. `facts` gives what `collect` would return now, of as much as findings need, and is
   * asked a few seconds later, if at all. Where the module fails, it is all that is kept of it.
   */
  readonly soFar?: (facts: () => unknown) => void
  /** What people have said of the domain's interfaces; absent where nobody has. */
  readonly descriptions?: readonly DescribedInterface[]
  /**
   * Tells of a fault of ours that a wall inside of the module has held, so that it is logged and counted. Returns its id for
   * the facts; what it kept from an answer is then `inconclusive`. `where` is a few words: "a place", "template x".
   */
  readonly fault: (error: unknown, where: string) => string
  /** True when the run carries credentials; their values are egress's alone. */
  readonly hasCredentials: boolean
  /** Where the run has signed in by itself; absent where it has what it was given, and nothing proves that. */
  readonly session?: RunSession
  /**
   * As whom the run can ask, the one that it scans as first. Absent where it looks as nobody; where it was given a session there is
   * that alone.
   */
  readonly identities?: readonly RunIdentity[]
  /** As whom this asks, as requests name it; absent where that is the one that the run scans as. */
  readonly as?: string
  /** The same as another identity, which signs in first; else why nobody is signed in, in a few words. Absent where the run has no other. */
  readonly asOther?: (identity: RunIdentity) => Promise<CollectContext | string>
  /** Names of the cookies among them: what is put in their place ends the session, as some sites see it, for good. */
  readonly ownCookies?: readonly string[]
  /** Cookies among them that say nothing of who is signed in, name to value: places like those that the site sets. */
  readonly ownSettings?: ReadonlyMap<string, string>
  /** Names of the headers among them, in lower case. */
  readonly ownHeaders?: readonly string[]
  /** When this attempt started, milliseconds since the epoch: the only clock that facts may carry into `judge`. */
  readonly now: number
  /** By which a clock of a module's own is multiplied, by the time that the run has: 1 where that is 40 minutes. */
  readonly timeFactor: number
  /** Until the run wants to be over as a whole, with what its modules have brought by then: four fifths of its limit, and more of a long one. */
  readonly secondsLeft: () => number
  /** Until the module is ended, whether it is done or not, by its own limit or by the run's. */
  readonly secondsToEnd: () => number
  /** Folder of the imported knowledge feeds; without it a module has what the product brings along. */
  readonly knowledge?: string
}

/** Somebody as whom a run asks. */
export interface RunIdentity {
  readonly name: string
  /** What it may do, in its owner's words; '' where nothing was said. */
  readonly role: string
  /** What requests name by `as`; null of the one that the run scans as. */
  readonly as: string | null
  /** Signs in when it is first called. `session` is null where nothing proves what it was given; `failed`: why nobody is signed in. */
  readonly begin: () => Promise<{ readonly session: RunSession | null; readonly failed: string | null }>
}

/** The session of a run that has signed in: proven and begun anew by who watches over it, for all modules. */
export interface RunSession {
  /** Address of the page by which it is proven. */
  readonly proofAt: string
  /** Counts the sessions: what was answered under another one may have been answered to nobody. */
  readonly session: () => number
  /** Null while there is one; else why there is none any more. */
  readonly lost: () => string | null
  /** How often it was proven. */
  readonly proofs: () => number
  /** Proves it now. False once it is lost. */
  readonly prove: () => Promise<boolean>
  /** Of a module: requests whose answers no proof has followed yet, and requests that were refused for want of a session. */
  readonly unproven: (module: string) => { readonly answered: number; readonly refused: number }
  /** Once it is lost: what was asked since its last proof, by whichever module. */
  readonly doubtful: () => readonly { readonly method: string; readonly href: string }[]
  /** What its account is called, for questions to the sign-in about that one; kept in no facts. Absent where it does not say. */
  readonly account?: string
  /** Absent where the sign-in is none by requests. */
  readonly leading?: SignInLeading
  /** Absent where the sign-in is neither one by requests nor by steps in a browser. `by`: what leads on there. */
  readonly leads?: Pick<SignInLeading, 'paths' | 'at' | 'to'> & { readonly by: 'header' | 'page' }
  /** Absent where the sign-in is none by requests, or needs what only its own answers give. */
  readonly form?: SignInForm
  /** Absent where the sign-in is none by requests, or its session stands in bodies. */
  readonly spare?: SpareSessions
  /** What answers on the way of its last sign-in were, of JSON: they name what is the account's. Kept in no facts; absent where there was none. */
  readonly answers?: () => readonly { readonly url: string; readonly text: string }[]
  /** Addresses of the site at which its first sign-in ended: pages that lie behind it, and that none before it may lead to. */
  readonly landed?: readonly string[]
}

/** What is carried by whoever has the session: a Cookie header's value, one header line. */
export interface Carried {
  readonly cookie: string | null
  readonly header: string | null
}

/** Sessions of the run's account beside its own, for what becomes of one. They are secret as its own is, and kept in no facts. */
export interface SpareSessions {
  /** Signs in once more. Null where nobody is signed in by it. */
  readonly begin: (besides?: SpareBesides) => Promise<SpareSession | null>
  /** By the proof of the run, whether who carries that is answered as its account; null where the answer says nothing of it. */
  readonly isSignedIn: (carried: Carried) => Promise<boolean | null>
}

/** What a sign-in brings beside what it always does. */
export interface SpareBesides {
  /** Cookies, from the first request on. */
  readonly planted?: string
  /** Fields of the form that gives the password, as of a box that is ticked. */
  readonly ticked?: readonly (readonly [name: string, value: string])[]
}

export interface SpareSession {
  /** Cookies that were there before anybody was signed in; null for none. */
  readonly before: string | null
  readonly after: Carried
  /** By name of a cookie, what it says of requests that other sites make. */
  readonly sameSite: ReadonlyMap<string, 'absent' | 'lax' | 'strict' | 'none' | 'unknown'>
  /** As whoever carries that; by default with the whole session. @throws EgressError `excluded` where the policy keeps it from leaving */
  readonly send: (request: HttpRequest, carried?: Carried) => Promise<HttpExchange>
}

/** The request by which the run signs in, with a made-up account and without a password: as a form of the site would send it. */
export interface SignInForm {
  /** Absolute, of the domain. */
  readonly url: string
  readonly encoding: 'json' | 'urlencoded'
  /** Of urlencoded bodies. `type` is `password`, `text` of the account, `hidden` of all else. */
  readonly fields: readonly { readonly name: string; readonly value: string; readonly type: string }[]
  /** Of JSON. */
  readonly body: string | null
  /** Page that is asked for before it, where hidden fields have their values; null where there is none. */
  readonly page: string | null
}

/** What the run's own sign-in is asked with something else in it: an address to go on to, headers, fields. No session comes of it. */
export interface SignInLeading {
  /** Paths of the domain that it asks, or opens. */
  readonly paths: ReadonlySet<string>
  /** Address at which it gives the password, or which it opens first; absent where none of the domain is known before. */
  readonly at?: string
  /** Signs in once more with these addresses in parameters: where that leads, if to that host or below it, and else null; false where nobody got in. */
  readonly to: (given: readonly (readonly [string, string])[], host: string) => Promise<string | null | false>
  /** Signs in once more, saying these in headers: whether that was taken. */
  readonly saying: (headers: HeaderPairs) => Promise<boolean>
  /** Fields in which it gives who signs in and the password; of JSON members of the whole. */
  readonly fields: readonly string[]
  /** Signs in once more with this text behind the value of that field: whether the account is proven to be signed in. */
  readonly behind: (field: string, text: string) => Promise<boolean>
  /** Likewise with an object in place of that value: these members, each a text or a list of texts. */
  readonly instead: (field: string, members: Readonly<Record<string, string | readonly string[]>>) => Promise<boolean>
}

/** One area of a scan: it collects facts once, its checks judge them. One folder, one module. */
export interface ScanModule<
  Id extends ModuleId = ModuleId,
  Need extends ModuleId = never,
  Use extends ModuleId = never,
> {
  /** Equal to the folder name. Stored with every run, so never renamed. */
  readonly id: Id
  /** Heading in the report, label in progress events. */
  readonly title: string
  /** 'passive' asks what a browser would ask; 'active' sends probes and needs a verified domain. */
  readonly conduct: 'passive' | 'active' | 'privacy'
  /** Modules whose facts this one reads. The plan orders by it, runs the rest side by side, and refuses a cycle. */
  readonly needs: readonly Need[]
  /** Modules that it waits for too, and whose facts it uses where they came to an end: without them it goes on. */
  readonly uses?: readonly Use[]
  /**
   * Of an active module whose requests are decided on one by one by the policy of `safety`, from what the crawl knows of each. The
   * requests of all others are decided on where they leave.
   */
  readonly decides?: true
  /**
   * Why there is nothing here for this module to look at, or null. It is then skipped with that reason, and sends
   * nothing. Pure.
   */
  readonly unless?: (known: Known<Need>) => string | null
  /** Ceiling for one run, enforced by egress (requests) and engine (seconds); higher for an active module where the run has more time. */
  readonly budget: { readonly requests: number; readonly seconds: number }
  /** The only step that touches the target, and only through `ctx.egress`. Returns plain JSON. */
  readonly collect: (ctx: CollectContext, known: Known<Need> & Perhaps<Use>) => Promise<Facts[Id]>
  /**
   * Sees the answers that all modules of an active run got, and adds to this module's facts what they show. The module is judged
   * when all others have ended; those that need it have its facts as collected.
   */
  readonly watch?: (watching: Watching) => Watcher<Facts[Id]>
  /** In report order. A check that throws fails alone. */
  readonly checks: readonly Check<Id, NoInfer<Need>>[]
  /** Tables for the report's appendix and findings.json. Pure. */
  readonly tables?: (facts: Facts[Id]) => readonly FactTable[]
  /** What it knows of the site and what became of it, for the run's reach. Pure. */
  readonly reach?: (facts: Facts[Id], known: Known<Need>) => ReachPart
  /** Versions of the knowledge feeds that the facts rest on, by feed. Pure. */
  readonly knowledge?: (facts: Facts[Id]) => Readonly<Record<string, string>>
  /** Of a module whose facts hold what feeds said on the day of the run. */
  readonly anew?: Anew<Facts[Id], Known<Need>>
  /** The grade of this area by its own published scale. Pure. */
  readonly grade?: (
    facts: Facts[Id],
    known: Known<Need>,
  ) => {
    readonly id: string
    readonly title: string
    readonly grade: string
    readonly score: number | null
    /** Why it is no better, in words. */
    readonly reasons?: string[]
  } | null
}

export interface Watching {
  readonly target: ScanTarget
  /** An earlier attempt has asked already what this one does not ask again. */
  readonly resumed: boolean
  /** The run carries credentials. */
  readonly signedIn: boolean
}

export interface Watcher<Of> {
  /** Told as they come, so it has to be quick. */
  readonly see: (exchange: HttpExchange, module: string) => void
  /** An answer on the way of a sign-in, of which nothing is told but the cookies that it sets, with other values. */
  readonly seeSignIn?: (exchange: HttpExchange) => void
  /** Once, when all other modules have ended. Pure but for what was seen. `cutOff`: in words, what the crawl was cut off before; null for nothing. */
  readonly conclude: (facts: Of, cutOff?: string | null) => Of
}

/** One decision. Pure: the same facts give the same findings, today or from a stored run. */
export interface Check<Id extends ModuleId, Need extends ModuleId = never> {
  /** Everything it may report; reporting anything else fails its test. */
  readonly findings: readonly FindingDefinition[]
  readonly judge: (facts: Facts[Id], known: Known<Need>, about: JudgeContext) => Judgement
}

export interface JudgeContext {
  readonly target: ScanTarget
  readonly options: RunOptions
  /** The run's start, milliseconds since the epoch; `judge` never reads a clock. */
  readonly now: number
}

/** Counts of insertion points, pages or services; what nobody has read counts as one. */
export interface Reached {
  readonly asked: number
  readonly known: number
  /** What kept the others, the largest first, at most three. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

/** An empty list is a pass of every definition. What could not be judged is said, never left out. */
export type Judgement = readonly Finding[] | Judged | Unjudged

/** Decided as by a list of findings, with a note on what the decision does not speak for: what nobody can reach from here. */
export interface Judged {
  readonly state: 'judged'
  readonly note: string
  readonly findings: readonly Finding[]
}

export interface Unjudged {
  readonly state: 'not_applicable' | 'not_tested' | 'blocked' | 'inconclusive'
  readonly reason: string
  /** Limits the statement to these definition ids; the rest pass. Default: all of the check. */
  readonly only?: readonly string[]
  readonly findings?: readonly Finding[]
  /** Of how many insertion points or pages it applies to it asked how many in full, and what kept the others. */
  readonly reached?: Reached
  /** Id of the fault of ours that is (one of) the reason(s). */
  readonly fault?: string
  /** What the definitions that pass do not speak for, as of `Judged`. */
  readonly note?: string
  readonly anyway?: true // It would not apply to what nobody has read, either.
}

export interface FindingDefinition {
  /** `<module>/<noun>`: stored, so never renamed, only retired. */
  readonly id: `${string}/${string}`
  /** The name that the field has for it, then the problem as a fact: "Open redirect: …". Vectors are in knowledge/ratings. */
  readonly title: string
  /** from-source: a CVE record or a template supplies it with the finding. */
  readonly severity: Severity | 'from-source'
  readonly cwe: number | null
  /** Which row of the context table shifts the severity; none when absent. */
  readonly group?: ContextGroup
  readonly why: string
  /** Imperative and concrete: the line to add, then where to add it. */
  readonly remediation: string
  readonly references: readonly `https://${string}`[]
}

/** A definition found at a place. */
export interface Finding {
  readonly definition: FindingDefinition
  /** Required when the definition says from-source, an error otherwise. */
  readonly severity?: Severity
  /** Vector of CVSS 4.0, 3.1, 3.0 or 2.0 that the source supplies; only where the definition says from-source. */
  readonly cvss?: string
  /** Replaces the definition's title where a source names the problem. */
  readonly title?: string
  readonly confidence: Confidence
  readonly at: Location
  /** Further places of the same problem. */
  readonly places?: readonly Location[]
  /** What was seen here, in one sentence with the values. */
  readonly detail: string
  readonly proof?: Proof
  readonly evidence?: readonly EvidenceRef[]
  readonly cve?: readonly CveMatch[]
  /** The kind of page it was seen on, where the context table asks for it. */
  readonly page?: PageKind
  /** What tells two findings of one definition at one place apart, e.g. a cookie's name. Part of the fingerprint. */
  readonly subject?: string
  /**
   * Parameters of the address, with their values, that choose the program which answers: the same parameter under another
   * route is another problem.
   */
  readonly route?: string
  /** What the body says is to be done, of an address that answers for many procedures: the same parameter of another is another problem. */
  readonly procedure?: string
  /**
   * The one piece of code behind findings of a definition at several places of a host: an error handler. Findings of one cause are
   * one finding, wherever they were seen.
   */
  readonly cause?: string
  /**
   * Its parameter was not seen to be sent so: a program that takes it from the address as well as from a form has one flaw. It is one of
   * the form's own, where there is such a one.
   */
  readonly guessed?: true
}

/** Keeps the types of a module literal; the list in index.ts holds them all. */
export const defineModule = <Id extends ModuleId, Need extends ModuleId = never, Use extends ModuleId = never>(
  module: ScanModule<Id, Need, Use>,
): ScanModule<Id, Need, Use> => module
