import { defineModule } from '../../module.ts'
import { overPages } from '../insertion-points/unread.ts'
import { sessionFixation } from './fixation.ts'
import { forgedRequest } from './forged.ts'
import { sessionIdentifiers } from './identifiers.ts'
import { passwordChange } from './password-change.ts'
import { scriptInclusion } from './scripts.ts'
import { aliveAfterSignOut } from './sign-out.ts'
import { webSockets } from './sockets.ts'
import { trustedCookie } from './trusted.ts'

/**
 * What becomes of sessions. It begins some of its own by signing in once more, and ends none but these. After the modules that compare
 * pages, as it writes on test systems; its requests are decided on where they leave.
 */
export const sessions = defineModule<'sessions', 'crawl', 'xss' | 'sqli' | 'injection' | 'api' | 'authorization'>({
  id: 'sessions',
  title: 'Sessions',
  conduct: 'active',
  needs: ['crawl'],
  uses: ['xss', 'sqli', 'injection', 'api', 'authorization'],
  budget: { requests: 2_000, seconds: 300 },
  collect: async (ctx, { crawl }) => (await import('./collect.ts')).collectSessions(ctx, crawl),
  checks: [
    sessionFixation,
    sessionIdentifiers,
    overPages(aliveAfterSignOut, 'to one'),
    overPages(forgedRequest),
    overPages(webSockets),
    overPages(scriptInclusion),
    trustedCookie,
    overPages(passwordChange),
  ],
})
