/** Every case of the site. */
import { WEB_CASES } from '../cases.ts'
import { fromWebCase, type SiteCase } from './case.ts'
import { REACH_CASES } from './reach-cases.ts'
import { SINK_CASES } from './sink-cases.ts'

export const SITE_CASES: readonly SiteCase[] = [...WEB_CASES.map(fromWebCase), ...REACH_CASES, ...SINK_CASES]
