/** Signing in by steps once more, after a run has written into the account. */
import { afterEach, expect, test } from 'vitest'
import { memberSite, PASSWORD } from '../../tests/support/member-site.ts'
import type { SignInStep } from '../contract/sign-in.ts'
import { closeSigning, signing } from './testing/steps.ts'

afterEach(closeSigning)

test('steps that wait for a text in the end need it the first time alone: a run may have changed the name that stands there', async () => {
  const site = memberSite()
  let isRenamed = false
  const renamed: ReturnType<typeof memberSite> = {
    ...site,
    answer: (request, response) => {
      const end = response.end.bind(response)
      // biome-ignore lint/suspicious/noExplicitAny: the test stands in for every form of it
      const told = (body: any) =>
        end(isRenamed && typeof body === 'string' ? body.replaceAll('Hello Ada', 'Hello test') : body)
      site.answer(request, Object.assign(response, { end: told }))
    },
  }
  const steps: SignInStep[] = [
    { do: 'goto', url: '/login' },
    { do: 'fill', on: '#user', value: 'ada' },
    { do: 'fill', on: '#password', value: PASSWORD },
    { do: 'click', on: 'aria/Sign in[role="button"]' },
    { do: 'wait', text: 'Hello Ada', seconds: 2 },
  ]
  const { signIn, told } = await signing({ steps }, renamed)
  await signIn()
  isRenamed = true
  expect((await signIn()).cookie).toContain(`sid=${site.sessions[1]}`)
  expect(told.map(({ ok }) => ok)).toEqual([...steps.map(() => true), ...steps.slice(1).map(() => true), false])
})
