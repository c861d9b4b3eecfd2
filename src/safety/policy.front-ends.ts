/** Rows of the truth table by what front ends send: what their scripts alone name, and methods that stand in a document. */
import { DELETES, DELETES_ACCOUNTS } from './deeds.ts'
import { ASKS_FIRST, SETS_NAME } from './form-effect.ts'
import { type Row, rows } from './policy.table.ts'
import { BY_METHOD } from './policy.ts'
import { ON_DEMAND } from './signed-in.ts'
import { STORES } from './storing.ts'

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
  ...rows(BY_METHOD, 'bounded', { json: '{"name":"a","_method":"PUT"}' }, ['POST /items/3']),
  ...rows(STORES, 'bounded', { json: '{"text":"say \\"_method\\":\\"GET\\""}' }, ['POST /api/comments']),
  ...rows(STORES, 'bounded', { json: '{"of":{"_method":"GET"}}' }, ['POST /api/comments']),
  // What no form can send stands in a field, however the page calls its button.
  ...rows(DELETES, 'bounded', IN, ['POST /items/3 _method:hidden=delete', 'POST /items/3?_method=DELETE x:hidden=1']),
  ...rows(DELETES, 'bounded', { ...IN, told: ASKS_FIRST, labels: ['Take away'] }, [
    'POST /items/3 _method:hidden=delete',
    'POST /items/3 _method=delete',
  ]),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, { ...IN, told: ASKS_FIRST, labels: ['Take away'] }, [
    'POST /staff/members/1 _method:hidden=delete token:hidden=a1b2',
    'POST /users/3 _method=DELETE',
  ]),
  ...rows(DELETES_ACCOUNTS, DELETES_ACCOUNTS, { ...IN, json: '{"_method":"delete"}' }, ['POST /api/users/3']),
  ...rows(BY_METHOD, 'bounded', {}, ['POST /rooms/3 _method:hidden=put floor', 'POST /rooms/3?_method=PATCH floor']),
  ...rows(SETS_NAME, SETS_NAME, { ...IN, account: 'ada' }, ['POST /profile _method:hidden=patch username']),
  ...rows('once', 'bounded', {}, ['POST /rooms/3 _method:hidden=get floor']),
  // What a script alone names, with values that were made up for it.
  ...rows(ON_DEMAND, 'bounded', { ...IN, onDemand: true }, ['POST /flows', 'POST /process q', 'POST /search q']),
  ...rows(ON_DEMAND, 'bounded', { ...IN, onDemand: true, json: '{"flows":"1","rev":"1"}' }, ['POST /flows']),
  ...rows(DELETES, 'bounded', { ...IN, onDemand: true }, ['DELETE /items/3']),
  ...rows('send', 'send', { ...IN, onDemand: true, seen: 'reads' }, ['POST /process q']),
  ...rows('send', 'send', { ...IN, onDemand: true, json: '{"query":"{ users { name } }"}' }, ['POST /graphql']),
]
