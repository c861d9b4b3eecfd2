/** A request of a site as somebody writes it down, and the place in it that takes a value. */
import { z } from 'zod'
import { WEAKNESS_NAMES } from './weaknesses.ts'

const Name = z.string().min(1).max(200)
const Value = z.string().max(2_000)
/** The state of a page is as long as its tables. */
const Held = z.string().max(65_536)
const pairs = (what: string, most: number) =>
  z
    .array(z.strictObject({ name: Name, value: Value }))
    .max(most)
    .default([])
    .describe(what)

export const PLACES = ['query', 'path', 'form', 'json', 'xml', 'header', 'cookie'] as const

/** Where a value is put in. */
export const PlaceOfRequest = z
  .strictObject({
    in: z.enum(PLACES),
    name: Name.describe(
      'Name of the parameter, field, header or cookie; of `path` the number of the segment, from 1; of `json` a JSON Pointer (RFC 6901); of `xml` the name of the element',
    ),
  })
  .describe(
    'The place of the request that takes the value. A query parameter, field, header or cookie that the request lacks is added',
  )
export type PlaceOfRequest = z.infer<typeof PlaceOfRequest>

export const SITE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const fields = {
  method: z.enum(SITE_METHODS).default('GET'),
  url: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Address on the domain with usual values, or the part of it from the first slash: /search?q=lamp'),
  headers: pairs('Beside those that every client sends. Who asks is said by an identity, never here', 30),
  cookies: pairs('Settings that the site keeps in cookies; never a session', 30),
  form: z
    .array(z.strictObject({ name: Name, value: Held, type: z.string().max(40).default('text') }))
    .max(60)
    .optional()
    .describe('Fields of a form that is posted; `type` as of its input: text, hidden, file, password …'),
  multipart: z.boolean().default(false).describe('The form goes as multipart/form-data'),
  body: z
    .strictObject({
      type: z.string().min(1).max(200).describe('Media type: application/json, application/xml …'),
      text: z.string().max(20_000),
    })
    .optional()
    .describe('Of all that is no form'),
}

/** With the values that the site takes. */
export const SiteRequest = z
  .strictObject(fields)
  .superRefine(({ method, form, body, multipart }, { addIssue }) => {
    const issue = (path: string, message: string): void => addIssue({ code: 'custom', path: [path], message })
    if (form !== undefined && body !== undefined) issue('body', 'cannot be combined with form')
    if (method === 'GET' && form !== undefined)
      issue('form', 'goes with a method that has a body; put the fields into the query')
    if (method === 'GET' && body !== undefined) issue('body', 'goes with a method that has a body')
    if (multipart && form === undefined) issue('multipart', 'goes with form')
  })
  .describe('The request, with values that the site takes. Credentials are replaced by others before it is kept')
export type SiteRequest = z.infer<typeof SiteRequest>

export const WeaknessName = z.enum(WEAKNESS_NAMES)

/** What is supposed of a place, as it is stored with its run. */
export const Supposed = z.strictObject({
  weakness: WeaknessName.describe('What the value is said to reach'),
  request: SiteRequest,
  point: PlaceOfRequest,
  seen_on: z
    .string()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .describe(
      'Address on the domain of the page that makes the request, or shows what it stores: by it Sonde tells what the request does',
    ),
})
export type Supposed = z.infer<typeof Supposed>
