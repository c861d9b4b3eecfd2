/** Sums of what each script uses, told a moment after they have changed. */
import { scriptOf } from './stack.ts'
import type { Tell } from './tell.ts'

export interface Drawn {
  readonly text: Set<string>
  readonly colours: Set<string>
  interactive: boolean
}

export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas

export interface Use {
  readonly reads: { readonly canvas: AnyCanvas; readonly drawn: Drawn }[]
  readonly fonts: Set<string>
  webgl: { readonly parameters: Set<unknown>; pixels: boolean; renderer: boolean } | null
  audio: { offline: boolean; read: boolean } | null
  readonly properties: Set<string>
  keys: number
  dirty: boolean
}

/** Changes the sums of the script that is running; false says that nothing has changed. */
export type Used = (change: (use: Use) => boolean) => void

export interface Uses {
  readonly used: Used
  /** Tells at once what is still to be told. */
  readonly flush: () => void
}

const MOST_SCRIPTS = 100
/** Milliseconds. */
const TOLD_AFTER = 150
const later = setTimeout.bind(globalThis)

export const openUses = (tell: Tell): Uses => {
  const uses = new Map<string, Use>()
  let waiting = false
  const flush = (): void => {
    waiting = false
    for (const [script, use] of uses) if (use.dirty) summarise(script, use, tell)
  }
  const used: Used = (change) => {
    const script = scriptOf()
    const use = uses.get(script) ?? emptyUse()
    if (!uses.has(script)) {
      if (uses.size >= MOST_SCRIPTS) return
      uses.set(script, use)
    }
    if (!change(use)) return
    use.dirty = true
    if (waiting) return
    waiting = true
    later(flush, TOLD_AFTER)
  }
  return { used, flush }
}

const emptyUse = (): Use => ({
  ...{ reads: [], fonts: new Set(), webgl: null, audio: null, properties: new Set(), keys: 0, dirty: false },
})

/** True when the set did not have the value and takes it. */
export const added = <T>(set: Set<T>, value: T, most: number): boolean => {
  if (set.has(value) || set.size >= most) return false
  set.add(value)
  return true
}

const summarise = (script: string, use: Use, tell: Tell): void => {
  use.dirty = false
  const [best] = use.reads
    .map(({ canvas, drawn }) => ({
      width: canvas.width,
      height: canvas.height,
      textLength: drawn.text.size,
      colours: drawn.colours.size,
      readBack: true,
      interactive: drawn.interactive,
    }))
    .sort(
      (a, b) => Number(a.interactive) - Number(b.interactive) || b.textLength - a.textLength || b.colours - a.colours,
    )
  tell({
    kind: 'use',
    script,
    canvas: best ?? null,
    fonts: use.fonts.size,
    webgl: use.webgl && { ...use.webgl, parameters: use.webgl.parameters.size },
    audio: use.audio,
    properties: [...use.properties],
    keys: use.keys,
  })
}
