import { evmChainIds } from "@countersign/core/chains"
import { fieldProblems, type RequestProblem } from "@countersign/core/errors"
import { Address } from "@countersign/core/primitives"
import { ProjectId } from "@countersign/core/projects"
import { Layer, Predicate, Result, Schema } from "effect"
import { hasValidChecksum } from "../evm/index.ts"
import type { HostPool } from "../kysely/index.ts"
import { secretKeysOrNull } from "../kysely/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { closestName } from "./closestName.ts"
import type { HostLogger } from "./hostLogger.ts"
import { isHostSwapProvider } from "./swapProviderOf.ts"

/** A value that a guard knows. Where it is not that, the option is named with what was expected, and not its value. */
const that = <T>(guard: (value: unknown) => value is T, message: string) => Schema.declare(guard, { message })

const isListOf =
  (isOne: (text: string) => boolean) =>
  (value: unknown): value is string | ReadonlyArray<string> => {
    const list = Array.isArray(value) ? value : [value]
    return list.length > 0 && list.every((one) => typeof one === "string" && isOne(one))
  }

const isFunction = (value: unknown): value is () => number => typeof value === "function"
const isUrl = (text: string) => /^https?:\/\//u.test(text) && URL.canParse(text)
const isKey = (text: string) => /^0x[0-9a-fA-F]{64}$/u.test(text)
const isAddress = (value: unknown): value is string =>
  typeof value === "string" &&
  /^0x[0-9a-fA-F]{40}$/u.test(value) &&
  (/^0x(?:[0-9a-f]+|[0-9A-F]+)$/u.test(value) || hasValidChecksum(value))
const isPool = (value: unknown): value is HostPool =>
  Predicate.hasProperty(value, "connect") && typeof value.connect === "function"
const isLogger = (value: unknown): value is HostLogger =>
  ["debug", "info", "warn", "error"].every(
    (level) => Predicate.hasProperty(value, level) && typeof value[level] === "function"
  )
const isDatabase = (value: unknown): value is CountersignOptions["database"] =>
  typeof value === "string"
    ? value !== ""
    : Predicate.hasProperty(value, "pool")
      ? isPool(value.pool)
      : Predicate.hasProperty(value, "stores") && Layer.isLayer(value.stores)
const isProvider = (value: unknown): value is NonNullable<CountersignOptions["providers"]>[number] =>
  value === "UNISWAP_V3" || isHostSwapProvider(value)

const urls = that(isListOf(isUrl), "Expected an http or https URL, or a list of them")
const privateKeys = that(isListOf(isKey), "Expected a private key, 0x and 64 hexadecimal digits, or a list of them")
const privateKey = that(
  (value): value is string => typeof value === "string" && isKey(value),
  "Expected a private key: 0x and 64 hexadecimal digits"
)
const address = that(isAddress, "Expected an EVM address: 0x and 40 hexadecimal digits, with a right checksum if any")
const within = (minimum: number, maximum: number) => {
  const message = `Expected a number from ${minimum} to ${maximum}`
  return Schema.Finite.annotate({ message }).check(Schema.isBetween({ minimum, maximum }, { message }))
}
const struct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => Schema.Struct(fields)
const option = Schema.optional

const Chain = struct({ rpcUrl: urls, bundlerUrl: option(urls), paymasterUrl: option(urls) })

const TIMER_MAX_MS = 2 ** 31 - 1

const fields = {
  database: that(
    isDatabase,
    "Expected a path, a postgresql:// URL, { pool } with a pg.Pool, or { stores } with a layer of stores"
  ),
  chains: struct(
    Object.fromEntries(evmChainIds.map((id) => [String(id), option(Chain)])) as Record<string, typeof ChainOption>
  ),
  bundler: option(struct({ operatorKeys: struct({ "0.7": privateKeys, "0.8": privateKeys }) })),
  paymaster: option(
    struct({ signerKey: privateKey, treasury: address, addresses: struct({ "0.7": address, "0.8": address }) })
  ),
  providers: option(
    Schema.NonEmptyArray(
      that(isProvider, 'Expected "UNISWAP_V3", or an object with id (capitals and digits), name and offer')
    )
  ),
  secretsKey: option(
    that(
      (value): value is string => typeof value === "string" && secretKeysOrNull(value) !== null,
      "Expected 32 bytes in base 64, as `openssl rand -base64 32` makes them, or several of these with commas between"
    )
  ),
  project: option(that(Schema.is(ProjectId), "Expected the id of a project")),
  workers: option(Schema.Boolean),
  publicUrl: option(
    that(
      (value): value is string => typeof value === "string" && isUrl(value) && !value.endsWith("/"),
      "Expected an http or https URL without a slash at its end"
    )
  ),
  webhooks: option(struct({ allowPrivateTargets: option(Schema.Boolean), timeoutMs: option(within(1, 30_000)) })),
  quotes: option(
    struct({
      seconds: option(within(1, 86_400)),
      operatorTreasury: option(address),
      operatorSharePercent: option(within(0, 100)),
      providerTimeoutMs: option(within(1, TIMER_MAX_MS))
    })
  ),
  firstUseOfGasToken: option(Schema.Literals(["TRUSTED", "PAID"])),
  lossBudgetUsdPerDay: option(within(0, 1_000_000)),
  retention: option(struct({ quoteDays: option(within(0.1, 36_500)), eventDays: option(within(0.1, 36_500)) })),
  clock: option(that(isFunction, "Expected a function that answers Unix milliseconds")),
  logger: option(that(isLogger, "Expected an object with the functions debug, info, warn and error"))
}
const ChainOption = option(Chain)

const decode = Schema.decodeUnknownResult(Schema.Struct(fields), { errors: "all", onExcessProperty: "error" })

/** Every name that an option can have, at any depth. */
const names = [
  ...Object.keys(fields),
  ..."rpcUrl bundlerUrl paymasterUrl operatorKeys signerKey treasury addresses allowPrivateTargets timeoutMs seconds".split(
    " "
  ),
  ..."operatorTreasury operatorSharePercent providerTimeoutMs quoteDays eventDays".split(" ")
]

const explained = (problem: RequestProblem): RequestProblem => {
  if (problem.code !== "unknown_field") return problem
  if (/^chains\.[^.]*$/u.test(problem.path)) {
    return { ...problem, message: `Expected the id of a supported chain: ${evmChainIds.join(", ")}` }
  }
  const name = problem.path.slice(problem.path.lastIndexOf(".") + 1)
  const meant = closestName(name, names)
  return {
    ...problem,
    message: meant === null ? "There is no such option." : `There is no such option. Did you mean ${meant}?`
  }
}

/** What can only be told from several options. */
const contradictions = ({ bundler, chains, firstUseOfGasToken, paymaster }: CountersignOptions) => {
  const problems: Array<RequestProblem> = []
  const complain = (path: string, message: string) => problems.push({ path, code: "invalid", message })
  const given = Object.entries(chains)
  if (given.length === 0) complain("chains", "Expected one chain at least, such as { 1: { rpcUrl } }")
  for (const [id, { bundlerUrl, paymasterUrl }] of given) {
    if (bundler !== undefined && bundlerUrl !== undefined)
      complain(`chains.${id}.bundlerUrl`, "Leave it out, or leave out bundler: one of them sends the operations.")
    if (paymaster !== undefined && paymasterUrl !== undefined)
      complain(`chains.${id}.paymasterUrl`, "Leave it out, or leave out paymaster: one of them pays for gas.")
  }
  if (firstUseOfGasToken === "PAID" && (bundler === undefined || paymaster === undefined))
    complain("firstUseOfGasToken", "PAID needs bundler and paymaster: those of others do not know how.")
  return problems
}

const invalid = (problems: ReadonlyArray<RequestProblem>) =>
  new CountersignError({
    id: "OPTION_INVALID",
    message: problems.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; "),
    problems
  })

/** The options, when each is well formed and known; else an error that names every one that is not. */
export const decodeOptions = (options: unknown): Result.Result<CountersignOptions, CountersignError> =>
  Result.flatMap(
    Result.mapError(decode(options), ({ issue }) => invalid(fieldProblems(issue).map(explained))),
    () => {
      const known = options as CountersignOptions
      const problems = contradictions(known)
      return problems.length === 0 ? Result.succeed(known) : Result.fail(invalid(problems))
    }
  )

export const addressOption = (text: string): Address => Address.make(text.toLowerCase())
