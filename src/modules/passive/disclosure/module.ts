import { defineModule } from '../../module.ts'
import { withoutWebsite } from '../site/facts-absent.ts'
import { banner } from './banner.ts'
import { captchaAnswer } from './captcha.ts'
import { collectDisclosure } from './collect.ts'
import { comment } from './comment.ts'
import { credentialList } from './credential-list.ts'
import { databaseDump } from './database-dump.ts'
import { debugMode } from './debug-mode.ts'
import { directoryListing } from './directory-listing.ts'
import { errorTrace } from './error-trace.ts'
import { leftover } from './leftover.ts'
import { robots } from './robots.ts'
import { secret } from './secret.ts'
import { securityTxt } from './security-txt.ts'
import { sourceCode } from './source-code.ts'
import { sourceMap } from './source-map.ts'
import { watchDisclosure } from './watch.ts'

/** What the site tells about itself without being asked: banners, errors, secrets, sources, notes. */
export const disclosure = defineModule({
  id: 'disclosure',
  title: 'Information disclosure',
  conduct: 'passive',
  needs: ['site'],
  unless: withoutWebsite,
  budget: { requests: 60, seconds: 90 },
  collect: (ctx, { site }) => collectDisclosure(ctx, site),
  watch: watchDisclosure,
  checks: [
    ...[secret, errorTrace, debugMode, credentialList, sourceCode, databaseDump, comment, directoryListing],
    ...[captchaAnswer, sourceMap, banner, leftover, robots, securityTxt],
  ],
})
