/**
 * Runs the small scripts of templates: a subset of JavaScript, walked and not handed to V8, so that a script has nothing
 * but what it is lent. Every step counts against a bound.
 */
import type * as acorn from 'acorn'
import { parse } from 'acorn'
import { memberOf, setMember } from './members.ts'
import { evaluateAssignment, evaluateBinary } from './operators.ts'
import { childOf, declare, type Environment, read, type Scope, write } from './scope.ts'
import {
  functionOf,
  isFunction,
  isObject,
  ScriptAnswer,
  ScriptError,
  type ScriptValue,
  stringOf,
  truthy,
} from './value.ts'

export interface ScriptOptions {
  /** Steps after which a script is ended. Default 200,000. */
  readonly steps?: number
  readonly signal?: AbortSignal
}

type Flow = { readonly kind: 'break' | 'continue' } | { readonly kind: 'return'; readonly value: ScriptValue } | null

/** @throws ScriptError for what the subset lacks, with the line */
export const parseScript = (source: string): acorn.Program => {
  try {
    return parse(source, { ecmaVersion: 2022, allowReturnOutsideFunction: true, locations: true })
  } catch (error) {
    throw new ScriptError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Value of the last expression, or what is returned. `globals` are lent; names that a script assigns without declaring are
 * set in them.
 */
export const runScript = async (
  program: acorn.Program,
  globals: Map<string, ScriptValue>,
  options: ScriptOptions = {},
): Promise<ScriptValue> => {
  let steps = options.steps ?? 200_000
  let depth = 0
  let last: ScriptValue
  const tick = (): void => {
    options.signal?.throwIfAborted()
    if (--steps < 0) throw new ScriptError('the script takes too many steps')
  }

  const block = async (body: readonly acorn.Node[], scope: Scope): Promise<Flow> => {
    for (const node of body)
      if (node.type === 'FunctionDeclaration') declareFunction(node as acorn.FunctionDeclaration, scope)
    for (const node of body) {
      const flow = await statement(node as acorn.Statement, scope)
      if (flow !== null) return flow
    }
    return null
  }

  const declareFunction = (node: acorn.FunctionDeclaration, scope: Scope): void =>
    declare(scope, node.id.name, closure(node, scope))

  const statement = async (node: acorn.Statement | acorn.ModuleDeclaration, scope: Scope): Promise<Flow> => {
    tick()
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'EmptyStatement':
        return null
      case 'ExpressionStatement':
        last = await evaluate(node.expression, scope)
        return null
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          await bind(id, init ? await evaluate(init, scope) : undefined, scope, true)
        return null
      case 'BlockStatement':
        return block(node.body, childOf(scope))
      case 'IfStatement':
        if (truthy(await evaluate(node.test, scope))) return statement(node.consequent, scope)
        return node.alternate ? statement(node.alternate, scope) : null
      case 'ReturnStatement':
        return { kind: 'return', value: node.argument ? await evaluate(node.argument, scope) : undefined }
      case 'BreakStatement':
        return { kind: 'break' }
      case 'ContinueStatement':
        return { kind: 'continue' }
      case 'ThrowStatement': {
        const value = await evaluate(node.argument, scope)
        throw new ScriptAnswer(isObject(value) ? stringOf(value.members.get('message')) : stringOf(value), value)
      }
      case 'TryStatement':
        return tryStatement(node, scope)
      case 'ForStatement': {
        const inner = childOf(scope)
        if (node.init?.type === 'VariableDeclaration') await statement(node.init, inner)
        else if (node.init) await evaluate(node.init, inner)
        const test = node.test
        const update = node.update
        return loop(
          async () => !test || truthy(await evaluate(test, inner)),
          () => statement(node.body, inner),
          async () => {
            if (update) await evaluate(update, inner)
          },
        )
      }
      case 'WhileStatement':
        return loop(
          async () => truthy(await evaluate(node.test, scope)),
          () => statement(node.body, scope),
        )
      case 'DoWhileStatement': {
        let begun = false
        return loop(
          async () => {
            if (begun) return truthy(await evaluate(node.test, scope))
            begun = true
            return true
          },
          () => statement(node.body, scope),
        )
      }
      case 'ForOfStatement':
      case 'ForInStatement':
        return forEach(node, scope)
      case 'SwitchStatement':
        return switchStatement(node, scope)
      default:
        throw new ScriptError(`${node.type} is not part of the subset (line ${node.loc?.start.line ?? 0})`)
    }
  }

  const loop = async (
    test: () => Promise<boolean>,
    body: () => Promise<Flow>,
    after?: () => Promise<void>,
  ): Promise<Flow> => {
    while (await test()) {
      tick()
      const flow = await body()
      if (flow?.kind === 'break') return null
      if (flow?.kind === 'return') return flow
      await after?.()
    }
    return null
  }

  const forEach = async (node: acorn.ForOfStatement | acorn.ForInStatement, scope: Scope): Promise<Flow> => {
    const value = await evaluate(node.right, scope)
    const keys = node.type === 'ForInStatement'
    const items: ScriptValue[] = Array.isArray(value)
      ? keys
        ? value.map((_, at) => String(at))
        : [...value]
      : isObject(value) && keys
        ? [...value.members.keys()]
        : typeof value === 'string' && !keys
          ? [...value]
          : []
    for (const item of items) {
      tick()
      const inner = childOf(scope)
      const declaration = node.left.type === 'VariableDeclaration'
      const pattern = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
      if (pattern) await bind(pattern, item, inner, declaration)
      const flow = await statement(node.body, inner)
      if (flow?.kind === 'break') return null
      if (flow?.kind === 'return') return flow
    }
    return null
  }

  const switchStatement = async (node: acorn.SwitchStatement, scope: Scope): Promise<Flow> => {
    const value = await evaluate(node.discriminant, scope)
    let at = -1
    for (const [index, one] of node.cases.entries()) {
      if (one.test && (await evaluate(one.test, scope)) === value) {
        at = index
        break
      }
    }
    if (at < 0) at = node.cases.findIndex(({ test }) => !test)
    const flow =
      at < 0
        ? null
        : await block(
            node.cases.slice(at).flatMap((one) => one.consequent),
            childOf(scope),
          )
    return flow?.kind === 'break' ? null : flow
  }

  const tryStatement = async (node: acorn.TryStatement, scope: Scope): Promise<Flow> => {
    let flow: Flow = null
    try {
      flow = await block(node.block.body, childOf(scope))
    } catch (error) {
      // Bounds and cancellation are not the script's to catch.
      if (!(error instanceof ScriptError) || steps < 0 || !node.handler) throw error
      const inner = childOf(scope)
      if (node.handler.param) await bind(node.handler.param, error.value, inner, true)
      flow = await block(node.handler.body.body, inner)
    } finally {
      if (node.finalizer) flow = (await block(node.finalizer.body, childOf(scope))) ?? flow
    }
    return flow
  }

  const bind = async (pattern: acorn.Pattern, value: ScriptValue, scope: Scope, declaring: boolean): Promise<void> => {
    if (pattern.type === 'Identifier') (declaring ? declare : write)(scope, pattern.name, value)
    else if (pattern.type === 'MemberExpression') {
      setMember(await evaluate(pattern.object as acorn.Expression, scope), await keyOf(pattern, scope), value)
    } else if (pattern.type === 'ArrayPattern' && Array.isArray(value)) {
      for (const [at, element] of pattern.elements.entries())
        if (element) await bind(element, value[at], scope, declaring)
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier')
          throw new ScriptError('such a pattern is not part of the subset')
        await bind(property.value, memberOf(value, property.key.name), scope, declaring)
      }
    } else if (pattern.type === 'AssignmentPattern') {
      await bind(pattern.left, value === undefined ? await evaluate(pattern.right, scope) : value, scope, declaring)
    } else throw new ScriptError(`${pattern.type} is not part of the subset`)
  }

  const closure = (node: acorn.Function | acorn.ArrowFunctionExpression, scope: Scope) =>
    functionOf(async (args) => {
      tick()
      if (++depth > 100) throw new ScriptError('calls are nested too deeply')
      try {
        const inner = childOf(scope)
        for (const [at, param] of node.params.entries()) await bind(param, args[at], inner, true)
        if (node.body.type !== 'BlockStatement') return await evaluate(node.body, inner)
        const flow = await block(node.body.body, inner)
        return flow?.kind === 'return' ? flow.value : undefined
      } finally {
        depth -= 1
      }
    })

  const keyOf = async (node: acorn.MemberExpression, scope: Scope): Promise<ScriptValue> =>
    node.computed
      ? evaluate(node.property as acorn.Expression, scope)
      : node.property.type === 'Identifier'
        ? node.property.name
        : undefined

  const argumentsOf = async (nodes: readonly (acorn.Expression | acorn.SpreadElement)[], scope: Scope) => {
    const args: ScriptValue[] = []
    for (const node of nodes) {
      if (node.type === 'SpreadElement') {
        const list = await evaluate(node.argument, scope)
        if (Array.isArray(list)) args.push(...list.slice(0, 1_000))
      } else args.push(await evaluate(node, scope))
    }
    return args
  }

  const evaluate = async (
    node: acorn.Expression | acorn.PrivateIdentifier | acorn.Super,
    scope: Scope,
  ): Promise<ScriptValue> => {
    tick()
    switch (node.type) {
      case 'Literal':
        if (node.regex) return { kind: 'pattern', source: node.regex.pattern, flags: node.regex.flags }
        return typeof node.value === 'bigint' ? Number(node.value) : (node.value as ScriptValue)
      case 'Identifier':
        return read(scope, node.name)
      case 'TemplateLiteral': {
        let text = ''
        for (const [at, quasi] of node.quasis.entries()) {
          text += quasi.value.cooked ?? ''
          const inner = node.expressions[at]
          if (inner) text += stringOf(await evaluate(inner, scope))
        }
        return text
      }
      case 'ArrayExpression':
        return argumentsOf(
          node.elements.filter((element) => element !== null),
          scope,
        )
      case 'ObjectExpression': {
        const members = new Map<string, ScriptValue>()
        for (const property of node.properties) {
          if (property.type !== 'Property') throw new ScriptError('spread in an object is not part of the subset')
          const { key } = property
          const name = property.computed
            ? await evaluate(key, scope)
            : key.type === 'Identifier'
              ? key.name
              : key.type === 'Literal'
                ? String(key.value)
                : ''
          members.set(stringOf(name), await evaluate(property.value, scope))
        }
        return { kind: 'object', members }
      }
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return closure(node, scope)
      case 'MemberExpression':
        return memberOf(await evaluate(node.object, scope), await keyOf(node, scope))
      case 'ChainExpression':
        return optionalChain(node.expression, scope)
      case 'NewExpression':
      case 'CallExpression': {
        const callee = await evaluate(node.callee, scope)
        if (!isFunction(callee))
          throw new ScriptError(`${nameOf(node.callee)} is no function (line ${node.loc?.start.line ?? 0})`)
        return callee.call(await argumentsOf(node.arguments, scope))
      }
      case 'ConditionalExpression':
        return evaluate(truthy(await evaluate(node.test, scope)) ? node.consequent : node.alternate, scope)
      case 'LogicalExpression': {
        const left = await evaluate(node.left, scope)
        if (node.operator === '&&') return truthy(left) ? evaluate(node.right, scope) : left
        if (node.operator === '||') return truthy(left) ? left : evaluate(node.right, scope)
        return left ?? evaluate(node.right, scope)
      }
      case 'BinaryExpression':
        return evaluateBinary(node.operator, await evaluate(node.left, scope), await evaluate(node.right, scope))
      case 'UnaryExpression':
        return unary(node, scope)
      case 'UpdateExpression': {
        const before = Number(await evaluate(node.argument, scope))
        const after = node.operator === '++' ? before + 1 : before - 1
        await bind(node.argument as acorn.Pattern, after, scope, false)
        return node.prefix ? after : before
      }
      case 'AssignmentExpression': {
        const value =
          node.operator === '='
            ? await evaluate(node.right, scope)
            : evaluateAssignment(
                node.operator,
                await evaluate(node.left as acorn.Expression, scope),
                await evaluate(node.right, scope),
              )
        await bind(node.left, value, scope, false)
        return value
      }
      case 'SequenceExpression': {
        let value: ScriptValue
        for (const one of node.expressions) value = await evaluate(one, scope)
        return value
      }
      case 'AwaitExpression':
        return evaluate(node.argument, scope)
      default:
        throw new ScriptError(`${node.type} is not part of the subset (line ${node.loc?.start.line ?? 0})`)
    }
  }

  const optionalChain = async (node: acorn.Expression, scope: Scope): Promise<ScriptValue> => {
    if (node.type === 'MemberExpression') {
      const of = node.object.type === 'Super' ? undefined : await optionalChain(node.object, scope)
      return of === null || of === undefined ? undefined : memberOf(of, await keyOf(node, scope))
    }
    if (node.type === 'CallExpression') {
      const callee = node.callee.type === 'Super' ? undefined : await optionalChain(node.callee, scope)
      return isFunction(callee) ? callee.call(await argumentsOf(node.arguments, scope)) : undefined
    }
    return evaluate(node, scope)
  }

  const unary = async (node: acorn.UnaryExpression, scope: Scope): Promise<ScriptValue> => {
    if (node.operator === 'typeof') {
      if (node.argument.type === 'Identifier' && read(scope, node.argument.name, true) === undefined) return 'undefined'
      const value = await evaluate(node.argument, scope)
      return isFunction(value) ? 'function' : typeof value
    }
    const value = await evaluate(node.argument, scope)
    if (node.operator === '!') return !truthy(value)
    if (node.operator === '-') return -Number(value)
    if (node.operator === '+') return Number(value)
    if (node.operator === '~') return ~Number(value)
    return undefined
  }

  const top: Environment = { globals, scope: { names: new Map(), parent: null, globals } }
  const flow = await block(program.body, top.scope)
  return flow?.kind === 'return' ? flow.value : last
}

const nameOf = (node: acorn.Node): string => {
  if (node.type === 'Identifier') return (node as acorn.Identifier).name
  if (node.type !== 'MemberExpression') return 'that'
  const { object, property } = node as acorn.MemberExpression
  return `${nameOf(object)}.${nameOf(property)}`
}
