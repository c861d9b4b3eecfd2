import { join } from 'node:path'
import type { Config } from './config.ts'

/** Where imported knowledge feeds lie. */
export const knowledgeFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'knowledge')
