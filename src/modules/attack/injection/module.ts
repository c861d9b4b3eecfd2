import { defineModule } from '../../module.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { reachPartOf } from '../insertion-points/reach-part.ts'
import { overPages } from '../insertion-points/unread.ts'
import { archiveTraversal, uploadNameTraversal } from './archives.ts'
import { uploadedPage, uploadedProgram } from './file-upload.ts'
import { pathTraversal, xmlExternalEntity } from './files.ts'
import { formula } from './formulas.ts'
import { hostHeader } from './host-header.ts'
import { code, command, template } from './interpreters.ts'
import { nullByte } from './null-byte.ts'
import { ldap, nosql, xpath } from './queries.ts'
import { fileInclusion, serverSideLookup, serverSideRequest } from './requests.ts'
import { deserialization, serializedObject } from './serialized-object.ts'

/** What a place hands on to shells, interpreters, file systems and query languages other than SQL. */
export const injection = defineModule<'injection', 'crawl', 'waf'>({
  id: 'injection',
  title: 'Injection',
  conduct: 'active',
  decides: true,
  needs: ['crawl'],
  uses: ['waf'],
  budget: { requests: 40_000, seconds: 2_200 },
  collect: async (ctx, known) => (await import('./collect.ts')).collect(ctx, known),
  checks: [
    command,
    code,
    template,
    pathTraversal,
    xmlExternalEntity,
    fileInclusion,
    serverSideRequest,
    serverSideLookup,
    ldap,
    xpath,
    nosql,
    deserialization,
    serializedObject,
    hostHeader,
    overPages(uploadedProgram),
    overPages(uploadedPage),
    overPages(archiveTraversal),
    overPages(uploadNameTraversal),
    overPages(nullByte),
    overPages(formula),
  ],
  reach: (facts, { crawl }) => reachPartOf(facts, crawl, isWorked),
})
