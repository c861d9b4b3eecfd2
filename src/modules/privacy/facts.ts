import type { EvidenceRef } from '../../contract/evidence.ts'
import type { ButtonRole, PolicyKind } from '../../knowledge/consent/label.ts'
import type { CookieKnowledge, PixelHit, VendorPurpose } from '../../knowledge/trackers/vendor.ts'

/** Each with a profile of its own: nothing pressed; refused; agreed; agreed and then withdrawn. */
export const STATES = ['untouched', 'reject', 'accept', 'revoke'] as const
export type StateName = (typeof STATES)[number]

/** Where a state stands when something happens: before anything was pressed, after the choice, after its withdrawal. */
export type Moment = 'before' | 'rejected' | 'accepted' | 'revoked'

export interface PrivacyFacts {
  readonly browser: string
  /** The page that was opened first, and its registrable domain. */
  readonly url: string
  readonly site: string
  readonly states: readonly StateFacts[]
  /** Everyone but the first party whom a page named, each host once. */
  readonly parties: readonly Party[]
  readonly dialog: DialogFacts | null
  readonly policies: PolicyFacts
  /** What changed when the browser said "do not sell or share" (Sec-GPC: 1); null when it was not asked. */
  readonly gpc: { readonly hosts: readonly string[] } | null
  readonly versions: Readonly<Record<string, string>>
  /** Cookie table of all states (CSV). */
  readonly cookieTable: EvidenceRef | null
}

export interface StateFacts {
  readonly name: StateName
  /** Null when the state was reached; else why not: no dialog, no such button, the page hung. */
  readonly missed: string | null
  /** Pages that were opened, the start page first. */
  readonly pages: readonly PageVisit[]
  readonly contacts: readonly Contact[]
  /** Contacts beyond the bound that are not kept. */
  readonly dropped: number
  readonly cookies: readonly CookieRecord[]
  readonly storage: readonly StorageRecord[]
  readonly calls: readonly ScriptUse[]
  readonly leaks: readonly CanaryLeak[]
  readonly messages: readonly MessageRecord[]
  readonly presses: readonly Press[]
  readonly tcf: readonly TcfRecord[]
  readonly consentMode: readonly ConsentModeCall[]
  readonly har: EvidenceRef | null
}

/** A state that was not reached: no page, nobody asked. */
export const NOTHING_SEEN: Omit<StateFacts, 'name' | 'missed'> = {
  pages: [],
  contacts: [],
  dropped: 0,
  cookies: [],
  storage: [],
  calls: [],
  leaks: [],
  messages: [],
  presses: [],
  tcf: [],
  consentMode: [],
  har: null,
}

export interface PageVisit {
  readonly url: string
  readonly moment: Moment
  /** Null when it loaded. */
  readonly error: string | null
}

/** A request that a page made or tried to make. */
export interface Contact {
  /** Milliseconds since the state's first navigation. */
  readonly at: number
  readonly moment: Moment
  /** True when it came after canaries were typed. */
  readonly typed: boolean
  /** At most 2,048 characters; a canary in it is replaced by its name. */
  readonly url: string
  readonly host: string
  readonly method: string
  readonly type: string
  /** Address of the page, and of the frame or worker that asked. */
  readonly page: string
  readonly from: string
  /** Address of the script that asked, where one did. */
  readonly script: string | null
  /** HTTP status, or null with the reason. */
  readonly status: number | null
  readonly failure: string | null
  readonly referrer: string | null
  /** The first 2,048 characters. */
  readonly body: string | null
  /** Names of cookies that were sent along. */
  readonly cookiesSent: readonly string[]
  readonly pixel: PixelHit | null
  /** Imported filter list that blocks it. */
  readonly listed: string | null
  /** Values kept in the browser that are sent: `localStorage:uid`, `cookie:_ga`. */
  readonly identifiers: readonly string[]
  /** Whose measuring it is, of a request to a host of the site itself; null where it is nobody's. Absent in older facts. */
  readonly measuring?: FirstPartyMeasuring | null
  /** Its body, or what was sent through its socket, is a film of the visit. Absent in older facts. */
  readonly records?: boolean
}

export interface FirstPartyMeasuring {
  readonly vendor: string
  readonly name: string
  readonly purposes: readonly VendorPurpose[]
  /** It can be run by the site alone. */
  readonly hosted: boolean
}

export interface Party {
  readonly host: string
  readonly domain: string
  /** Name that the host is an alias of, when that lies in another registrable domain (CNAME cloaking). */
  readonly alias: string | null
  /** Of the first party's registrable domain: only an alias or a list makes it somebody else. */
  readonly own: boolean
  readonly vendor: {
    readonly id: string
    readonly name: string
    readonly legalEntity: string | null
    readonly country: string | null
    readonly dpf: boolean | null
    readonly purposes: readonly VendorPurpose[]
    /** Number in the Global Vendor List of the IAB (TCF), where known. */
    readonly tcfId: number | null
    readonly source: string
  } | null
}

export interface CookieRecord {
  readonly name: string
  readonly domain: string
  readonly path: string
  readonly moment: Moment
  /** Milliseconds from its setting to its end; null ends with the browser. */
  readonly lifetime: number | null
  /** As `lifetime`, as its setting asks for: browsers cut it (Chromium at 400 days, RFC 6265bis 5.5). Absent where that was not seen. */
  readonly asked?: number | null
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly sameSite: string
  /** Characters of its value, and whether it is one of its own for each visitor: another one in another profile. */
  readonly length: number
  readonly unique: boolean
  readonly by: 'http' | 'script' | 'unknown'
  /** Address of the response or script that set it. */
  readonly setBy: string | null
  /** Functions and places of the scripts that were running, the innermost first; empty for cookies of answers. */
  readonly stack: readonly string[]
  readonly known: CookieKnowledge | null
}

export interface StorageRecord {
  readonly kind: 'localStorage' | 'sessionStorage' | 'indexedDB'
  readonly origin: string
  readonly key: string
  readonly moment: Moment
  readonly length: number
  /** At least 64 bits, the same in both loads of one profile and another one in another profile. */
  readonly identifier: boolean
  readonly setBy: string | null
}

/** What one script of a frame did with what can tell browsers apart. */
export interface ScriptUse {
  readonly script: string
  readonly page: string
  readonly moment: Moment
  readonly canvas: {
    readonly width: number
    readonly height: number
    readonly textLength: number
    readonly colours: number
    readonly readBack: boolean
    /** save, restore or addEventListener on the canvas: drawing for people. */
    readonly interactive: boolean
  } | null
  readonly fonts: number
  readonly webgl: { readonly parameters: number; readonly pixels: boolean; readonly renderer: boolean } | null
  readonly audio: { readonly offline: boolean; readonly read: boolean } | null
  /** High-entropy properties read: `navigator.hardwareConcurrency`. */
  readonly properties: readonly string[]
  /** Scripts with key listeners on the document or on fields. */
  readonly keys: number
}

export interface CanaryLeak {
  /** Kind of the field: "e-mail", "password", "text". */
  readonly field: string
  readonly encoding: string
  readonly host: string
  readonly url: string
  readonly page: string
  readonly moment: Moment
  readonly channel: 'url' | 'header' | 'body' | 'beacon' | 'websocket' | 'keystrokes' | 'message'
  readonly script: string | null
  /** The place with the canary named in place of its value. */
  readonly excerpt: string
}

export interface MessageRecord {
  readonly to: string
  readonly page: string
  readonly moment: Moment
  readonly length: number
  readonly excerpt: string
}

export interface Press {
  readonly role: ButtonRole
  readonly by: 'rule' | 'words'
  /** The rule's name, or the text's language-free role. */
  readonly tool: string | null
  readonly text: string
  readonly selector: string
  readonly frame: string
  readonly layer: number
  readonly screenshot: EvidenceRef | null
}

export interface ConsentButton {
  readonly role: ButtonRole
  readonly text: string
  readonly selector: string
  readonly width: number
  readonly height: number
  /** WCAG contrast of text and ground, 1 to 21; null where it cannot be computed. */
  readonly contrast: number | null
  /** Contrast of the button's ground and the dialog's. */
  readonly prominence: number | null
  readonly look: 'button' | 'link'
  readonly fontSize: number
}

export interface DialogFacts {
  /** Name of the known consent tool, or null for one found by its words. */
  readonly tool: string | null
  readonly text: string
  readonly frame: string
  /** First layer, in reading order. */
  readonly buttons: readonly ConsentButton[]
  /** Clicks to refuse: 1 on the first layer, 2 with a second, null when no way was found. */
  readonly clicksToReject: number | null
  readonly clicksToAccept: number | null
  /** Labels of boxes for purposes beyond the necessary that are ticked before anyone ticks them. */
  readonly preTicked: readonly string[]
  /** The page cannot be used before agreeing: no way to refuse, and it covers the page. */
  readonly wall: boolean
  readonly asksToPay: boolean
  /** The dialog came again after a choice and a reload. */
  readonly forgets: { readonly reject: boolean | null; readonly accept: boolean | null }
  /** A way to change the choice later, on a page after accepting. */
  readonly revisit: string | null
  readonly screenshot: EvidenceRef | null
}

export interface PolicyFacts {
  /** False when the start page's links could not be read. */
  readonly read: boolean
  readonly links: readonly PolicyLink[]
  /** Vendors by id whose name stands in the privacy or cookie policy; null when no policy was read. */
  readonly named: readonly string[] | null
  readonly languages: readonly string[]
}

export interface PolicyLink {
  readonly kind: PolicyKind
  readonly label: string
  readonly url: string
  /** Null when it was not asked. */
  readonly status: number | null
  readonly error: string | null
}

export interface TcfRecord {
  readonly moment: Moment
  readonly source: 'api' | 'cookie' | 'storage' | 'request'
  /** The string itself; it names choices, not people. */
  readonly text: string
  readonly error: string | null
  readonly purposes: readonly number[]
  readonly legitimateInterests: readonly number[]
  readonly vendors: number
  readonly vendorsDisclosed: number | null
  /** Their numbers in the Global Vendor List; empty when the segment is absent. */
  readonly disclosed: readonly number[]
  readonly cmpId: number | null
  readonly policyVersion: number | null
}

export interface ConsentModeCall {
  readonly at: number
  readonly moment: Moment
  readonly kind: 'default' | 'update' | 'config' | 'event' | 'js'
  readonly values: Readonly<Record<string, string>>
  /** Regions that a default is limited to. */
  readonly regions: readonly string[]
}
