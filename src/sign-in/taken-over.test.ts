/** Pages that a server draws and a script takes over later, in a real browser. */
import { afterEach, expect, test } from 'vitest'
import { memberSite, PASSWORD } from '../../tests/support/member-site.ts'
import type { SignInStep } from '../contract/sign-in.ts'
import { closeSigning, signing } from './testing/steps.ts'

afterEach(closeSigning)

const FORM: readonly SignInStep[] = [
  { do: 'goto', url: '/login' },
  { do: 'fill', on: '#user', value: 'ada' },
  { do: 'fill', on: ['aria/Password', '#password'], value: PASSWORD },
]

test('what a script has emptied when it took the page over is typed once more', async () => {
  const site = memberSite()
  const emptied =
    '<script>let done;document.addEventListener("input",({target})=>{if(target.id!=="password"||done)return;done=1;document.querySelector("#user").value=""})</script>'
  const { signIn } = await signing(
    { steps: [...FORM, { do: 'click', on: 'aria/Sign in[role="button"]' }, { do: 'wait', text: 'Hello Ada' }] },
    {
      ...site,
      answer: (request, response) => {
        const end = response.end.bind(response)
        const isForm = request.url === '/login' && request.method === 'GET'
        response.end = ((body?: unknown) => end(`${body ?? ''}${isForm ? emptied : ''}`)) as typeof response.end
        return site.answer(request, response)
      },
    },
  )
  expect((await signIn()).cookie).toContain(`sid=${site.sessions[0]}`)
})
