import { defineModule } from '../../module.ts'
import { overPages } from '../insertion-points/unread.ts'
import { answeredData } from './answered-data.ts'
import { content } from './content.ts'
import { graphql } from './graphql.ts'
import { jsonWebToken } from './json-web-token.ts'
import { massAssignment } from './mass-assignment.ts'
import { negativeQuantity } from './negative-quantity.ts'
import { oldVersion } from './old-version.ts'
import { priceAccepted } from './price-accepted.ts'
import { signInMissing } from './sign-in-missing.ts'
import { unhandledInput } from './unhandled-input.ts'
import { recoveryEnumeration, userEnumeration } from './user-enumeration.ts'

/**
 * What interfaces for programs get wrong beside injection. After the modules that compare pages, as on test systems it changes what
 * they show. Its requests are decided on where they leave, by the policy for those that nobody has decided about.
 */
export const api = defineModule<'api', 'crawl', 'xss' | 'sqli' | 'injection'>({
  id: 'api',
  title: 'Interfaces for programs',
  conduct: 'active',
  needs: ['crawl'],
  uses: ['xss', 'sqli', 'injection'],
  budget: { requests: 8_000, seconds: 420 },
  collect: async (ctx, { crawl }) => (await import('./collect.ts')).collectApi(ctx, crawl),
  checks: [
    overPages(signInMissing),
    overPages(oldVersion),
    ...jsonWebToken.map((check) => overPages(check, 'to one')),
    overPages(answeredData),
    overPages(massAssignment),
    overPages(negativeQuantity),
    overPages(priceAccepted),
    overPages(graphql, 'to one'),
    overPages(content),
    overPages(unhandledInput),
    overPages(userEnumeration),
    overPages(recoveryEnumeration),
  ],
})
