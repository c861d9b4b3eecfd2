import { expect, test } from 'vitest'
import { accountFieldOf, ownName, thingOfProcedure } from './names.ts'

test.each([
  ['booking[guest][email]', 'email'],
  ['contact[_token]', '_token'],
  ['lines[0][qty]', 'qty'],
  ['rows[][id]', 'id'],
  ['ids[]', 'ids'],
  ['ids[3]', 'ids'],
  ['/guest/email', 'email'],
  ['email', 'email'],
  ['ctl00$Main$txtEmail', 'Email'],
  ['ctl00$Main$ctl03$btnDelete', 'Delete'],
  ['form:rows:3:email', 'email'],
  ['$ACTION_ID_40de', '$ACTION_ID_40de'],
  ['user[$ne]', '$ne'],
  ['txtEmail', 'txtEmail'],
  ['_token', '_token'],
  ['[]', '[]'],
  ['', ''],
])('%s is called %s', (name, own) => {
  expect(ownName(name)).toBe(own)
})

test.each<[readonly string[], string | undefined]>([
  [['_token', 'user[email]', 'user[password]'], 'user[email]'],
  [['log', 'pwd', 'rememberme'], 'log'],
  [['password', 'username'], 'username'],
  [['/pwd'], undefined],
  [['q', 'page'], undefined],
])('of %j the account is in %s', (names, field) => {
  expect(accountFieldOf(names)).toBe(field)
})

test.each([
  ['updateOrder', 'Order'],
  ['renameTask', 'Task'],
  ['orderById', 'order'],
  ['update_orders_item', 'orders'],
  ['orders_by_pk', 'orders'],
  ['orderCancel', 'order'],
  ['settings', 'settings'],
  ['address', 'address'],
  ['tasks', 'tasks'],
])('what %s is about', (name, thing) => expect(thingOfProcedure(name)).toBe(thing))
