import { inject } from 'vitest'
import { z } from 'zod'
import { askFor } from './on-demand.ts'

const S3Server = z.object({
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
})
/** Whoever uses the bucket has a prefix of its own. */
export type S3Server = z.infer<typeof S3Server>

/** A real S3 server, one for the run of tests. Fails with the packages to install where there is none. */
export const openS3 = async (): Promise<S3Server> => S3Server.parse(JSON.parse(await askFor(inject('s3Socket'))))
