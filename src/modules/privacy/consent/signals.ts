/** What a page says of the choice to its vendors: the TCF string and Google's consent mode. */
import { TCString } from '@iabtcf/core'
import type { Frame } from 'playwright-core'
import type { ConsentModeCall, Moment, TcfRecord } from '../facts.ts'
import { unreadable } from '../visit/snapshot.ts'
import { within } from '../visit/times.ts'

export interface Signals {
  readonly tcString: string | null
  readonly layer: readonly LayerEntry[]
  /** Tells one document from the next at the same address. */
  readonly document: number
}

/** An entry of `dataLayer`, as text. */
export interface LayerEntry {
  readonly index: number
  readonly args: readonly unknown[]
}

const NOTHING: Signals = { tcString: null, layer: [], document: 0 }

export const readSignals = async (frame: Frame): Promise<Signals> => {
  const read = await within('reading consent signals', frame.evaluate<Signals>(SIGNALS), 5_000).catch(unreadable)
  return 'layer' in read ? read : NOTHING
}

/** The API is asked for its present state; `dataLayer` keeps everything in order. */
const SIGNALS = `new Promise((resolve) => {
  const layer = []
  const plain = (value) => {
    try { return JSON.parse(JSON.stringify(value)) } catch { return String(value).slice(0, 100) }
  }
  const entries = Array.isArray(window.dataLayer) ? window.dataLayer : []
  for (let index = 0; index < Math.min(entries.length, 300); index += 1) {
    const entry = entries[index]
    if (entry && typeof entry === 'object') layer.push({ index, args: entry.length === undefined ? [plain(entry)] : Array.from(entry).slice(0, 4).map(plain) })
  }
  const done = (tcString) => resolve({ tcString, layer, document: performance.timeOrigin })
  if (typeof window.__tcfapi !== 'function') return done(null)
  setTimeout(() => done(null), 1500)
  try {
    window.__tcfapi('getTCData', 2, (data, ok) => done(ok && data && typeof data.tcString === 'string' ? data.tcString.slice(0, 20000) : null))
  } catch (error) {
    done(null)
  }
})`

/** Never throws: what cannot be decoded is a fact as well. */
export const readTcString = (text: string, moment: Moment, source: TcfRecord['source']): TcfRecord => {
  const base = { moment, source, text: text.slice(0, 2_000) }
  try {
    const model = TCString.decode(text)
    return {
      ...base,
      error: null,
      purposes: [...model.purposeConsents.values()].slice(0, 24),
      legitimateInterests: [...model.purposeLegitimateInterests.values()].slice(0, 24),
      vendors: [...model.vendorConsents.values()].length,
      vendorsDisclosed: hasDisclosed(text) ? [...model.vendorsDisclosed.values()].length : null,
      disclosed: hasDisclosed(text) ? [...model.vendorsDisclosed.values()].slice(0, 2_000) : [],
      cmpId: Number(model.cmpId),
      policyVersion: Number(model.policyVersion),
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const none = { purposes: [], legitimateInterests: [], vendors: 0, vendorsDisclosed: null, disclosed: [] }
    return { ...base, error: said.slice(0, 200), ...none, cmpId: null, policyVersion: null }
  }
}

/** The segment's type stands in the first three bits (TCF v2 string format, "Disclosed Vendors" is 1). */
const hasDisclosed = (text: string): boolean =>
  text
    .split('.')
    .slice(1)
    .some((segment) => {
      const first = Buffer.from(segment, 'base64url')[0]
      return first !== undefined && first >> 5 === 1
    })

/** Google's tag writes each call as an arguments object: ['consent', 'default', {…}]. */
export const readConsentMode = (layer: readonly LayerEntry[], moment: Moment): readonly ConsentModeCall[] =>
  layer.flatMap(({ index, args }): readonly ConsentModeCall[] => {
    const [name, second, third] = args
    const base = { at: index, moment, values: {}, regions: [] }
    if (name === 'consent' && (second === 'default' || second === 'update')) {
      const given = isRecord(third) ? third : {}
      const values = Object.fromEntries(
        Object.entries(given).flatMap(([key, value]) =>
          value === 'granted' || value === 'denied' ? [[key.slice(0, 60), value] as const] : [],
        ),
      )
      const regions = Array.isArray(given.region) ? given.region.map(String).slice(0, 60) : []
      return [{ ...base, kind: second, values, regions }]
    }
    if (name === 'config') return [{ ...base, kind: 'config', values: { id: String(second).slice(0, 60) } }]
    if (name === 'js') return [{ ...base, kind: 'js' }]
    if (isRecord(name) && name.event === 'gtm.js') return [{ ...base, kind: 'event', values: { event: 'gtm.js' } }]
    return []
  })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
