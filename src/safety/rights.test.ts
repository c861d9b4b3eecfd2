import { expect, it } from 'vitest'
import { setsRights } from './rights.ts'

it.each([
  ['those of a role', 'PATCH', '/workflows/update_permissions', ['role_id[]', 'permissions[1][subject]'], true],
  ['those of a role in its address', 'POST', '/admin/permissions?role=4', ['permissions[]'], true],
  ['those of an account', 'PUT', '/users/3/role', ['role'], true],
  ['of nobody that is named', 'POST', '/workflows/update_permissions', ['permissions[1][subject]'], false],
  ['something else of a role', 'POST', '/workflows/copy', ['role_id', 'tracker_id'], false],
  ['which are shown', 'GET', '/workflows/permissions', ['role_id'], false],
] as const)('rights are set: %s', (_name, method, path, names, expected) => {
  const given = names.map((name) => ({ name, typed: false }))
  expect(setsRights(method, `https://a.test${path}`, given)).toBe(expected)
})
