/** The GraphQL interface beside it: one field an operation, resolved from the same tables. */

import type { User } from './data.ts'
import { byId, type Call, type Result, table } from './routes.ts'

interface Field {
  readonly name: string
  readonly type: string
  readonly list?: true
  readonly byId?: true
  readonly resolve: (call: Call, id: string, user: User) => unknown
}

const TYPES: Readonly<Record<string, readonly string[]>> = {
  Invoice: ['id', 'number', 'recipient', 'total'],
  Payslip: ['id', 'month', 'salary', 'iban'],
  Document: ['id', 'title', 'body'],
  Customer: ['id', 'name', 'email', 'phone'],
  Contract: ['id', 'title', 'email', 'phone'],
  Product: ['id', 'name', 'price'],
  Article: ['id', 'title', 'text'],
  Task: ['id', 'title', 'project_id'],
  User: ['id', 'name', 'email', 'phone'],
  Profile: ['id', 'name', 'bio'],
  Announcement: ['id', 'title', 'text'],
}

const mine =
  (name: string): Field['resolve'] =>
  (call, _id, user) =>
    table(call, name).filter((row) => row.user === user.id)
const any =
  (name: string): Field['resolve'] =>
  (call, id) =>
    byId(call, name, id) ?? null
const owned =
  (name: string): Field['resolve'] =>
  (call, id, user) => {
    const row = byId(call, name, id)
    if (row === undefined || row.user !== user.id) throw new Error('Not authorized')
    return row
  }

const FIELDS: readonly Field[] = [
  { name: 'me', type: 'Profile', resolve: (_call, _id, { id, name, bio }) => ({ id, name, bio }) },
  { name: 'invoices', type: 'Invoice', list: true, resolve: mine('invoices') },
  { name: 'invoice', type: 'Invoice', byId: true, resolve: any('invoices') },
  { name: 'payslips', type: 'Payslip', list: true, resolve: mine('payslips') },
  { name: 'payslip', type: 'Payslip', byId: true, resolve: any('payslips') },
  { name: 'documents', type: 'Document', list: true, resolve: mine('documents') },
  { name: 'document', type: 'Document', byId: true, resolve: any('documents') },
  { name: 'customer', type: 'Customer', byId: true, resolve: any('customers') },
  { name: 'contract', type: 'Contract', byId: true, resolve: owned('contracts') },
  { name: 'product', type: 'Product', byId: true, resolve: any('products') },
  { name: 'article', type: 'Article', byId: true, resolve: any('articles') },
  {
    name: 'profile',
    type: 'Profile',
    byId: true,
    resolve: ({ data }, id) => data.users.find((user) => String(user.id) === id) ?? null,
  },
  {
    name: 'announcements',
    type: 'Announcement',
    list: true,
    resolve: (call, _id, user) => table(call, 'announcements').filter(({ tenant }) => tenant === user.tenant),
  },
  {
    name: 'adminMembers',
    type: 'User',
    list: true,
    resolve: ({ data }, _id, user) =>
      data.users
        .filter(({ tenant }) => tenant === user.tenant)
        .map(({ id, name, email }) => ({ id, name, email, phone: `+49 170 44${id}0${id}5` })),
  },
]

export const OPEN_FIELDS: ReadonlySet<string> = new Set(['product', 'article'])
export const GRAPHQL_FIELDS: readonly string[] = FIELDS.map(({ name }) => name)

export const answerGraphql = (call: Call): Result => {
  const query = String(call.body.query ?? '')
  if (query.includes('__schema')) return { json: { data: { __schema: schema() } } }
  if (/\{\s*__typename\s*\}/.test(query)) return { json: { data: { __typename: 'Query' } } }
  const name = /\{\s*(\w+)/.exec(query)?.[1] ?? ''
  const field = FIELDS.find((one) => one.name === name)
  if (field === undefined)
    return { status: 400, json: { errors: [{ message: `Cannot query field "${name}" on type "Query".` }] } }
  if (call.user === null && !OPEN_FIELDS.has(name))
    return { json: { data: null, errors: [{ message: 'Not authenticated' }] } }
  const variables = (call.body.variables ?? {}) as Readonly<Record<string, unknown>>
  try {
    const value = field.resolve(call, String(variables.id ?? ''), call.user as User)
    return { json: { data: { [name]: selected(value, TYPES[field.type] ?? []) } } }
  } catch (error) {
    return {
      json: {
        data: { [name]: null },
        errors: [{ message: error instanceof Error ? error.message : 'failed', path: [name] }],
      },
    }
  }
}

const selected = (value: unknown, names: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((one) => selected(one, names))
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name] ?? null]))
}

const plain = (name: string) => ({ name, kind: 'SCALAR', ofType: null })
const schema = () => ({
  ...{ queryType: { name: 'Query' }, mutationType: null, subscriptionType: null },
  types: [
    ...['ID', 'String'].map((name) => ({ name, kind: 'SCALAR', fields: null, inputFields: null, enumValues: null })),
    {
      ...{ name: 'Query', kind: 'OBJECT', inputFields: null, enumValues: null },
      fields: FIELDS.map(({ name, type, list, byId: takes }) => ({
        name,
        args: takes ? [{ name: 'id', type: { name: null, kind: 'NON_NULL', ofType: plain('ID') } }] : [],
        type: list
          ? { name: null, kind: 'LIST', ofType: { name: type, kind: 'OBJECT', ofType: null } }
          : { name: type, kind: 'OBJECT', ofType: null },
      })),
    },
    ...Object.entries(TYPES).map(([name, fields]) => ({
      ...{ name, kind: 'OBJECT', inputFields: null, enumValues: null },
      fields: fields.map((field) => ({ name: field, args: [], type: plain(field === 'id' ? 'ID' : 'String') })),
    })),
  ],
})
