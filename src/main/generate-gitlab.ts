/** GitLab's component: one file, so that a project that includes it needs nothing else of this repository. */
import { readFileSync } from 'node:fs'

const SCRIPT = new URL('../../integrations/wait-and-gate.sh', import.meta.url)

/** https://docs.gitlab.com/ci/components/: a header of inputs, then the job; `$[[ inputs.… ]]` is filled in by GitLab. */
export const renderGitlabComponent = (script: string = readFileSync(SCRIPT, 'utf8')): string =>
  `${HEAD}${script
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n')}
      SONDE
    - bash wait-and-gate.sh
  artifacts:
    when: always
    paths:
      - sonde/
    reports:
      junit: sonde/sonde.junit.xml
`

const HEAD = `# Made by "npm run generate" out of integrations/wait-and-gate.sh, which it holds whole.
# Include it, and set the masked variable SONDE_API_KEY (scopes scans:read, scans:write, domains:read, artifacts:read) in the
# project. SARIF and JUnit files are kept; GitLab shows the JUnit file in the merge request.
spec:
  inputs:
    url:
      description: Address of the Sonde service
    domain:
      description: Name of a registered domain
    active:
      description: Also active checks; the domain has to be verified
      type: boolean
      default: false
    privacy:
      description: Also the privacy check
      type: boolean
      default: false
    fail-on:
      description: Severity of an open finding that fails the job
      default: high
      options: [critical, high, medium, low, info, none]
    baseline:
      description: What does not count; accepted, none, or the id of a run
      default: accepted
    minutes:
      description: How long to wait for the run
      type: number
      default: 60
    stage:
      default: test
---
sonde:
  stage: $[[ inputs.stage ]]
  image: debian:stable-slim
  variables:
    SONDE_URL: $[[ inputs.url ]]
    SONDE_DOMAIN: $[[ inputs.domain ]]
    SONDE_ACTIVE: "$[[ inputs.active ]]"
    SONDE_PRIVACY: "$[[ inputs.privacy ]]"
    SONDE_FAIL_ON: $[[ inputs.fail-on ]]
    SONDE_BASELINE: $[[ inputs.baseline ]]
    SONDE_MINUTES: "$[[ inputs.minutes ]]"
    SONDE_OUT: sonde
    SONDE_KEY: $CI_JOB_ID
  before_script:
    - apt-get update -q && apt-get install -q -y --no-install-recommends curl jq ca-certificates
  script:
    - |
      cat >wait-and-gate.sh <<'SONDE'
`
