import { defineModule } from '../../module.ts'
import { reachPartOf } from '../insertion-points/reach-part.ts'
import { overPages } from '../insertion-points/unread.ts'
import { blind } from './blind.ts'
import { cachedHeader } from './cached.ts'
import { dom } from './dom.ts'
import { foreignContent } from './foreign.ts'
import { headerInjection, openRedirect } from './heads.ts'
import { reflected } from './reflected.ts'
import { stored } from './stored.ts'
import { websocketMessage } from './websocket.ts'

/** What a place does to the page and to the head of its answer. Only what a browser has run is called confirmed. */
export const xss = defineModule<'xss', 'crawl', 'waf'>({
  id: 'xss',
  title: 'Cross-site scripting',
  conduct: 'active',
  decides: true,
  needs: ['crawl'],
  uses: ['waf'],
  budget: { requests: 40_000, seconds: 2_200 },
  collect: async (...given) => (await import('./collect.ts')).collect(...given),
  checks: [
    reflected,
    stored,
    overPages(websocketMessage),
    blind,
    dom,
    openRedirect,
    headerInjection,
    overPages(cachedHeader),
    foreignContent,
  ],
  reach: (facts, { crawl }) => reachPartOf(facts, crawl),
})
