import { environmentSettings, SettingInvalid, type Settings } from "@countersign/adapters/service/composition"
import { unknownSettings } from "@countersign/adapters/service/settings"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Config, ConfigProvider, Effect, Option, Result } from "effect"
import { settings as settingsOrFailure } from "../environment/connect.ts"
import { home } from "../environment/home.ts"
import { isConfigured } from "../environment/isConfigured.ts"
import { port } from "../environment/port.ts"
import { serveSettings } from "../environment/serveSettings.ts"
import { SettingNames } from "../environment/settingNames.ts"
import { type Configuration, type SettingProblem, usableUrls } from "./checks/configuration.ts"

/** Placeholder address for a missing or invalid one, so that the paymaster's other settings are still validated. */
const ANY_ADDRESS = `0x${"0".repeat(40)}`
/** Placeholder for `SECRETS_KEY`. `doctor` encrypts nothing with it. */
const ANY_KEY = Buffer.alloc(32).toString("base64")
const PAYMASTER_PART = /^PAYMASTER_(?:TREASURY|ADDRESS_)/u

const OPERATOR_PART = /^OPERATOR_PRIVATE_KEYS_/u
/**
 * Returns a placeholder for missing or invalid operator keys, so that the keys of the other EntryPoint version are
 * still validated.
 */
const anyKey = (name: string): string => `0x${name.at(-1)?.padStart(64, "0")}`

/** Placeholder for invalid node URLs, so that the chain counts as served. It is never queried. */
const NO_NODE = "http://localhost"

/** Placeholder for an invalid Postgres URL. This host name can never exist (RFC 6761). */
const NO_DATABASE = "postgres://database-url.invalid"

/** Returns the placeholder for a setting that other settings require; undefined for an optional setting. */
const placeholderFor = (name: string): string | undefined => {
  if (name === "SECRETS_KEY") return ANY_KEY
  if (name === "DATABASE_URL") return NO_DATABASE
  if (name.startsWith("RPC_URL_")) return NO_NODE
  if (PAYMASTER_PART.test(name)) return ANY_ADDRESS
  return OPERATOR_PART.test(name) ? anyKey(name) : undefined
}

/** Removes these settings from the environment, or replaces them by a valid placeholder. */
const withoutNames = (provider: ConfigProvider.ConfigProvider, names: ReadonlySet<unknown>) =>
  ConfigProvider.make((path) => {
    const [name] = path
    if (!names.has(name)) return provider.load(path)
    const placeholder = placeholderFor(String(name))
    return Effect.succeed(placeholder === undefined ? undefined : ConfigProvider.makeValue(placeholder))
  })

/** Returns the valid URLs of each node list that also contains an invalid URL. */
const partlyUsableUrls = Effect.fnUntraced(function* (problems: ReadonlyArray<SettingProblem>) {
  const invalidChainIds = evmChainIds.filter((id) => problems.some(({ name }) => name === `RPC_URL_${id}`))
  const lists = yield* Effect.forEach(invalidChainIds, (id) =>
    Effect.map(
      Config.String(`RPC_URL_${id}`),
      (text) => [id, usableUrls(text.split(",").map((url) => url.trim()))] as const
    )
  )
  return new Map<EvmChainId, ReadonlyArray<string>>(lists)
})

/** Reads the valid settings of the environment, and collects the problems of the others. */
const lenientSettings = Effect.gen(function* () {
  const provider = yield* ConfigProvider.ConfigProvider
  const folder = yield* home
  const readAllSettings = Effect.gen(function* () {
    yield* port
    yield* serveSettings
    return yield* environmentSettings(folder)
  })
  const problems: Array<SettingProblem> = []
  const ignoredNames = new Set<string>()
  for (;;) {
    const result = yield* Effect.result(
      Effect.provideService(readAllSettings, ConfigProvider.ConfigProvider, withoutNames(provider, ignoredNames))
    )
    if (Result.isSuccess(result)) {
      const isHalfPaymaster = problems.some(({ name }) => PAYMASTER_PART.test(name))
      const isHalfBundler = problems.some(({ name }) => OPERATOR_PART.test(name))
      const partialUrls = yield* partlyUsableUrls(problems)
      const settings: Settings = {
        ...result.success,
        rpcUrls: (chainId) => partialUrls.get(chainId) ?? result.success.rpcUrls(chainId),
        ...(isHalfPaymaster ? { paymaster: { _tag: "None" } as const } : {}),
        ...(isHalfBundler ? { bundler: { _tag: "None" } as const } : {})
      }
      return { settings, problems }
    }
    if (!(result.failure instanceof SettingInvalid)) return yield* Effect.fail(result.failure)
    const { expected, name, requiredBy = [] } = result.failure
    const isSet = Option.isSome(yield* Config.option(Config.String(name)))
    if (ignoredNames.has(name)) return yield* Effect.fail(result.failure)
    for (const ignoredName of [name, ...requiredBy]) ignoredNames.add(ignoredName)
    problems.push({ name, expected, isSet })
  }
})

/**
 * Reads the configuration of the operator's own service if the environment configures one, even with invalid settings.
 * Otherwise reads that of the running sandbox.
 */
export const readConfiguration = Effect.gen(function* () {
  if (!(yield* isConfigured)) {
    const sandbox: Configuration = {
      settings: yield* settingsOrFailure,
      problems: [],
      sandboxHome: yield* home
    }
    return sandbox
  }
  const { problems, settings } = yield* lenientSettings
  const configuration: Configuration = {
    settings,
    problems: [...unknownSettings(yield* SettingNames).map((unknown) => ({ ...unknown, isSet: true })), ...problems],
    sandboxHome: null
  }
  return configuration
})
