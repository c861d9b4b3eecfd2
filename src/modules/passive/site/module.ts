import { defineModule } from '../../module.ts'
import { collect } from './collect.ts'
import { serverError } from './server-error.ts'
import { soft404 } from './soft-404.ts'
import { siteTables } from './tables.ts'

export const site = defineModule<'site'>({
  id: 'site',
  title: 'Site',
  conduct: 'passive',
  needs: [],
  budget: { requests: 150, seconds: 150 },
  collect,
  checks: [serverError, soft404],
  tables: siteTables,
})
