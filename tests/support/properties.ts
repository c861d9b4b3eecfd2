/**
 * fast-check, by which all properties are asked: of the same values each time, so that a failure is of the change at hand and comes
 * again; with SONDE_LONG=1 of other values each time, which finds what nobody thought of. SONDE_SEED=NUMBER asks for those of a failure.
 */
import fc from 'fast-check'

const { SONDE_SEED, SONDE_LONG } = process.env
if (SONDE_SEED) fc.configureGlobal({ seed: Number(SONDE_SEED) })
else if (!SONDE_LONG) fc.configureGlobal({ seed: 20_260_101 })

export default fc
