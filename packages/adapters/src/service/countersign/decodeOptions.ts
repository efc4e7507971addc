import { evmChainIds } from "@countersign/core/foundation/chains"
import { fieldProblems, type RequestProblem } from "@countersign/core/foundation/errors"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Layer, Predicate, Result, Schema } from "effect"
import type { HostPool } from "../../storage/kysely/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import type { HostLogger } from "./hostLogger.ts"
import { type SettingTexts, settingTexts } from "./settingTexts.ts"
import { isHostSwapProvider } from "./swapProviderOf.ts"

/**
 * A value that passes a guard. A problem contains the name of the option and the expected value, but never the actual
 * value, which may be secret.
 */
const schemaFromGuard = <T>(guard: (value: unknown) => value is T, message: string) =>
  Schema.declare(guard, { message })

const isFunction = (value: unknown): value is () => number => typeof value === "function"
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

const option = Schema.optional

/** Options that are not settings of a server. */
const hostOptions = Schema.Struct({
  database: schemaFromGuard(
    isDatabase,
    "Expected a path, a postgresql:// URL, { pool } with a pg.Pool, or { stores } with a layer of stores"
  ),
  providers: option(
    Schema.NonEmptyArray(
      schemaFromGuard(isProvider, 'Expected "UNISWAP_V3", or an object with id (capitals and digits), name and offer')
    )
  ),
  project: option(schemaFromGuard(Schema.is(ProjectId), "Expected the id of a project")),
  workers: option(Schema.Boolean),
  clock: option(schemaFromGuard(isFunction, "Expected a function that returns Unix milliseconds")),
  logger: option(schemaFromGuard(isLogger, "Expected an object with the functions debug, info, warn and error"))
})

const hostProblems = (options: object): ReadonlyArray<RequestProblem> =>
  Result.match(Schema.decodeUnknownResult(hostOptions, { errors: "all" })(options), {
    onFailure: ({ issue }) => fieldProblems(issue).problems,
    onSuccess: () => []
  })

/** For each group, the options without which the group has no effect. One of them is sufficient. */
const requiredFields = {
  bundler: ["operatorKeys"],
  paymaster: ["signerKey"],
  aggregators: ["names"],
  marketData: ["sources"],
  mail: ["smtpUrl", "folder"]
} as const satisfies Partial<Record<keyof CountersignOptions, ReadonlyArray<string>>>

/** Returns the problems that involve several options. */
const optionConflicts = (options: CountersignOptions) => {
  const { bundler, chains = {}, firstUseOfGasToken, paymaster } = options
  const problems: Array<RequestProblem> = []
  const addProblem = (path: string, message: string, code = "invalid") => problems.push({ path, code, message })
  for (const [group, names] of Object.entries(requiredFields)) {
    const values: Readonly<Record<string, unknown>> | undefined = options[group as keyof typeof requiredFields]
    if (values !== undefined && names.every((name) => values[name] === undefined))
      addProblem(
        `${group}.${names[0]}`,
        `Expected ${names.join(" or ")}: without it, ${group} has no effect`,
        "required"
      )
  }
  const definedChains = Object.entries(chains).filter(([, chain]) => chain !== undefined)
  if (definedChains.length === 0) addProblem("chains", "Expected at least one chain, such as { 1: { rpcUrl } }")
  for (const [id, { bundlerUrl, paymasterUrl, rpcUrl }] of definedChains) {
    if (rpcUrl === undefined && evmChainIds.some((one) => String(one) === id))
      addProblem(`chains.${id}.rpcUrl`, "Expected the URL of a node", "required")
    if (bundler !== undefined && bundlerUrl !== undefined)
      addProblem(`chains.${id}.bundlerUrl`, "Omit it, or omit bundler: only one of them can send the operations.")
    if (paymaster !== undefined && paymasterUrl !== undefined)
      addProblem(`chains.${id}.paymasterUrl`, "Omit it, or omit paymaster: only one of them can pay for gas.")
  }
  if (firstUseOfGasToken === "paid" && (bundler === undefined || paymaster === undefined))
    addProblem(
      "firstUseOfGasToken",
      "paid needs the options bundler and paymaster: other bundlers and paymasters do not support it."
    )
  return problems
}

export const invalidOptions = (problems: ReadonlyArray<RequestProblem>) =>
  new CountersignError({
    id: "OPTION_INVALID",
    message: problems.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; "),
    problems
  })

export interface DecodedOptions extends Pick<SettingTexts, "environment"> {
  readonly options: CountersignOptions
}

/**
 * Returns the options if all of them are valid and known. Otherwise returns an error with all invalid options, or with
 * all conflicts if each option is valid.
 */
export const decodeOptions = (input: unknown): Result.Result<DecodedOptions, CountersignError> => {
  if (!Predicate.isObject(input))
    return Result.fail(invalidOptions([{ path: "", code: "invalid", message: "Expected an object of options" }]))
  const { environment, problems } = settingTexts(input, Object.keys(hostOptions.fields))
  const optionProblems = [...problems, ...hostProblems(input)]
  const areValid = (_: object): _ is CountersignOptions => optionProblems.length === 0
  if (!areValid(input)) return Result.fail(invalidOptions(optionProblems))
  const conflicts = optionConflicts(input)
  return conflicts.length > 0 ? Result.fail(invalidOptions(conflicts)) : Result.succeed({ environment, options: input })
}
