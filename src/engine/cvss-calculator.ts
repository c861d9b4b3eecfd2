/**
 * The calculator of CVSS scores. A build loads it when the first score is asked for (main/build-scan.ts): those of our own definitions
 * stand in its table of ratings.
 */
import calculator from 'ae-cvss-calculator'

export const cvssCalculator = () => calculator
