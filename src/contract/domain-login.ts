/** The login that is stored with a domain for scans of what lies behind it. Its values go in and never come out again. */
import { z } from 'zod'
import { HeaderLine, HeaderValue } from './run.ts'
import { ProofPath } from './sign-in.ts'
import { Timestamp } from './time.ts'

const Page = ProofPath.describe('Path of a page that looks different to whoever is signed in')

export const DomainLogin = z.strictObject({
  kinds: z.array(z.enum(['cookie', 'header'])).describe('What it consists of; the values are never given back'),
  page: Page,
  set_at: Timestamp,
  set_by: z.string().describe('Name of the key or member'),
})
export type DomainLogin = z.infer<typeof DomainLogin>

export const SetLogin = z
  .strictObject({
    auth_cookie: HeaderValue.nullable().default(null).describe('Cookie header value'),
    auth_header: HeaderLine.nullable().default(null).describe('One header line, "Name: value"'),
    page: Page.default('/'),
  })
  .refine((given) => given.auth_cookie !== null || given.auth_header !== null, {
    path: ['auth_cookie'],
    message: 'or auth_header is needed',
  })
export type SetLogin = z.infer<typeof SetLogin>

/** What the page was, once without and once with the login. */
export const LoginLook = z.strictObject({
  url: z.string().describe('Where it ended, redirects followed'),
  status: z.int(),
  title: z.string().nullable(),
})
export type LoginLook = z.infer<typeof LoginLook>

/** One step of a sign-in that the scanner did by itself. */
export const SignInStepTaken = z.strictObject({
  title: z.string().describe('What was done, without what was typed'),
  ok: z.boolean(),
  detail: z.string().nullable().describe('What came of it, for a person'),
  picture: z.boolean().describe('Whether there is a picture of the page after it'),
})
export type SignInStepTaken = z.infer<typeof SignInStepTaken>

export const LoginTest = z.strictObject({
  state: z
    .enum(['waiting', 'running', 'works', 'no_difference', 'rejected', 'not_tested'])
    .describe(
      'works: the page is another one with the login; no_difference: it is the same; rejected: the page refuses the ' +
        'login; not_tested: it could not be looked at',
    ),
  reason: z.string().nullable().describe('By what that was decided, for a person'),
  without: LoginLook.nullable(),
  with: LoginLook.nullable(),
  steps: z.array(SignInStepTaken).describe('Of an identity that signs in by itself, up to the one that failed'),
  asked_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type LoginTest = z.infer<typeof LoginTest>
export type LoginAnswer = Pick<LoginTest, 'reason' | 'without' | 'with' | 'steps'> & {
  readonly state: Exclude<LoginTest['state'], 'waiting' | 'running'>
}
