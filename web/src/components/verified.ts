import type { Domain } from '../../../src/contract/domain.ts'

export const isVerified = ({ verified_until }: Pick<Domain, 'verified_until'>): boolean =>
  verified_until !== null && Date.parse(verified_until) > Date.now()
