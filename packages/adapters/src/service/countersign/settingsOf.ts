import { isEvmChainId } from "@countersign/core/foundation/chains"
import { ConfigProvider, Effect, Redacted } from "effect"
import { PoolSwapProvider } from "../../exchanges/uniswap/index.ts"
import { type HostSettings, sharedSettings } from "../composition/index.ts"
import type { CountersignError } from "./CountersignError.ts"
import type { CountersignOptions } from "./CountersignOptions.ts"
import { type DecodedOptions, invalidOptions } from "./decodeOptions.ts"
import { optionOf, replaceSettingNames } from "./settingTexts.ts"
import { swapProviderOf } from "./swapProviderOf.ts"

const isPostgresUrl = (text: string) => /^postgres(?:ql)?:\/\//u.test(text)

const databaseOf = ({
  database,
  databasePgBouncer,
  databasePoolSize,
  databaseReadUrl
}: CountersignOptions): HostSettings["database"] => {
  if (typeof database === "string") {
    if (!isPostgresUrl(database)) return { _tag: "Sqlite", filename: database }
    return {
      _tag: "Postgres",
      url: Redacted.make(database),
      readUrl: databaseReadUrl === undefined ? null : Redacted.make(databaseReadUrl),
      ...(databasePoolSize === undefined ? {} : { connectionsMax: databasePoolSize }),
      ...(databasePgBouncer === undefined ? {} : { isPgBouncer: databasePgBouncer })
    }
  }
  return "pool" in database ? { _tag: "PostgresPool", pool: database.pool } : { _tag: "Stores", layer: database.stores }
}

const swapProvidersOf = (providers: NonNullable<CountersignOptions["providers"]>) =>
  Effect.forEach(providers, (provider) =>
    provider === "UNISWAP_V3" ? PoolSwapProvider.make : Effect.succeed(swapProviderOf(provider))
  )

/** Converts the options to the composition's settings. Fails with OPTION_INVALID if options conflict. */
export const settingsOf = Effect.fnUntraced(function* (
  { environment, options }: DecodedOptions,
  onStored: () => void
): Effect.fn.Return<HostSettings, CountersignError> {
  const commonSettings = yield* sharedSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.catchTag("ConfigError", Effect.die),
    Effect.catchTag("SETTING_INVALID", ({ expected, name }) =>
      Effect.fail(
        invalidOptions([
          { path: optionOf(name), code: "invalid", message: `This is not ${replaceSettingNames(expected)}.` }
        ])
      )
    )
  )
  const { clock, providers, workers } = options
  const database = databaseOf(options)
  const ids = commonSettings.activeChains()
  return {
    ...commonSettings,
    database,
    servedChains: { ids: () => ids, settingOf: (id) => (isEvmChainId(id) ? `the option chains.${id}.rpcUrl` : null) },
    isListed: ({ chainId }) => ids.includes(chainId),
    // A process that only prepares operations must not take over the claims of the process that executes them.
    soleProcess: database._tag === "Sqlite" && workers !== false,
    ...(clock === undefined ? {} : { clock }),
    ...(providers === undefined ? {} : { swapProviders: swapProvidersOf(providers) }),
    onStored
  }
})
