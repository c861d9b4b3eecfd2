/** Rows of the truth table by what front ends send: what their scripts alone name, and methods that stand in a document. */
import { DELETES } from './deeds.ts'
import { type Row, rows } from './policy.table.ts'
import { ON_DEMAND } from './signed-in.ts'
import { CHANGES, STORES } from './storing.ts'

const IN = { signedIn: true } as const
const AS_STAFF = { signedIn: true, staff: true } as const

export const FRONT_ENDS: readonly Row[] = [
  // A client of an interface says in its document which method a POST stands for.
  ...rows('send', 'send', { ...IN, json: '{"where":{},"limit":9,"_method":"GET"}' }, [
    'POST /classes/_User',
    'POST /config',
  ]),
  ...rows('send', 'send', { ...AS_STAFF, json: '{"_method":"get"}' }, ['POST /api/comments']),
  ...rows(DELETES, 'bounded', { ...IN, json: '{"_method":"GET"}' }, ['POST /items/3/delete']),
  ...rows(CHANGES, 'bounded', { json: '{"name":"a","_method":"PUT"}' }, ['POST /items/3']),
  ...rows(STORES, 'bounded', { json: '{"text":"say \\"_method\\":\\"GET\\""}' }, ['POST /api/comments']),
  ...rows(STORES, 'bounded', { json: '{"of":{"_method":"GET"}}' }, ['POST /api/comments']),
  // What a script alone names, with values that were made up for it.
  ...rows(ON_DEMAND, 'bounded', { ...IN, onDemand: true }, ['POST /flows', 'POST /process q', 'POST /search q']),
  ...rows(ON_DEMAND, 'bounded', { ...IN, onDemand: true, json: '{"flows":"1","rev":"1"}' }, ['POST /flows']),
  ...rows(DELETES, 'bounded', { ...IN, onDemand: true }, ['DELETE /items/3']),
  ...rows('send', 'send', { ...IN, onDemand: true, seen: 'reads' }, ['POST /process q']),
  ...rows('send', 'send', { ...IN, onDemand: true, json: '{"query":"{ users { name } }"}' }, ['POST /graphql']),
]
