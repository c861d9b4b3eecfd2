/** A logo as reports use it (PNG or PDF, checked), or why the file cannot be one, for the person who gave it. */
export const prepareLogoNow = async (
  file: Buffer,
): Promise<{ readonly body: Buffer } | { readonly problem: string }> => {
  // What reads pictures takes a while to load, and is seldom needed.
  const { LogoError, prepareLogo } = await import('../report/logo.ts')
  try {
    return { body: (await prepareLogo(file)).body }
  } catch (error) {
    if (error instanceof LogoError) return { problem: error.message }
    throw error
  }
}
