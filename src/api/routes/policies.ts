/** What an organisation wants done by itself. */
import { getDueDays, setDueDays } from '../../store/due-days.ts'
import { getJudgingAgain, setJudgingAgain } from '../../store/judging-again.ts'
import { getLanguage, setLanguage } from '../../store/reading-language.ts'
import { answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'

export const policyRoutes = (services: Services): readonly Route[] => [
  bind('readDueDays', async ({ caller }) => answer(200, await getDueDays(services.db, caller.organisation.id))),

  bind('setDueDays', async ({ body, caller }) => {
    await setDueDays(services.db, caller.organisation.id, body)
    return answer(200, body)
  }),

  bind('readLanguage', async ({ caller }) =>
    answer(200, { language: await getLanguage(services.db, caller.organisation.id) }),
  ),

  bind('setLanguage', async ({ body, caller }) => {
    await setLanguage(services.db, caller.organisation.id, body.language)
    return answer(200, body)
  }),

  bind('readJudgingAgain', async ({ caller }) =>
    answer(200, await getJudgingAgain(services.db, caller.organisation.id)),
  ),

  bind('setJudgingAgain', async ({ body, caller }) => {
    await setJudgingAgain(services.db, caller.organisation.id, body)
    return answer(200, body)
  }),
]
