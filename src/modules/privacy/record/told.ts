/** What the recorder tells, read by a schema: it comes out of a page, so it is anybody's word. */
import { z } from 'zod'

const text = z.string().max(10_000)
const common = { realm: text, seq: z.number(), worker: z.boolean(), at: z.number() }
const Told = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('use'),
    script: text,
    canvas: z
      .object({
        width: z.number(),
        height: z.number(),
        textLength: z.number(),
        colours: z.number(),
        readBack: z.boolean(),
        interactive: z.boolean(),
      })
      .nullable(),
    fonts: z.number(),
    webgl: z.object({ parameters: z.number(), pixels: z.boolean(), renderer: z.boolean() }).nullable(),
    audio: z.object({ offline: z.boolean(), read: z.boolean() }).nullable(),
    properties: z.array(z.string().max(100)).max(100),
    keys: z.number(),
  }),
  z.object({
    ...common,
    kind: z.literal('storage'),
    store: z.enum(['localStorage', 'sessionStorage', 'indexedDB']),
    key: text,
    value: text,
    script: text,
  }),
  z.object({
    ...common,
    kind: z.literal('cookie'),
    /** What follows the value where a script sets it. */
    attributes: z.string().max(400).optional(),
    name: text,
    script: text,
    stack: z.array(z.string().max(300)).max(8),
  }),
  z.object({
    ...common,
    kind: z.literal('sent'),
    channel: z.enum(['beacon', 'websocket']),
    url: text,
    body: text,
    script: text,
  }),
  z.object({ ...common, kind: z.literal('worker'), url: text }),
  z.object({ ...common, kind: z.literal('socket'), url: text, script: text }),
  z.object({
    ...common,
    kind: z.literal('click'),
    text,
    selector: text,
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
  }),
  z.object({ ...common, kind: z.literal('message'), origin: text, length: z.number(), excerpt: text }),
])
export type Told = z.infer<typeof Told>

/** Null for what the recorder would never say. */
export const readTold = (json: unknown): Told | null => {
  if (typeof json !== 'string' || json.length > 30_000) return null
  try {
    return Told.safeParse(JSON.parse(json)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
