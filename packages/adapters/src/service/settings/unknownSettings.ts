import { chains, evmChainIds } from "@countersign/core/foundation/chains"
import { editDistance } from "@countersign/core/foundation/errors"
import { PER_CHAIN } from "./Setting.ts"
import { settings } from "./settings.ts"

/** Prefixes of names that probably belong to Countersign. */
const OUR_PREFIXES = /^(?:RPC_URL|BUNDLER_|PAYMASTER_|OPERATOR_|WEBHOOK_|COMPUTE_UNITS_|RATE_LIMIT_|RETENTION_)/u

/** Variables that Kubernetes sets in each container for other services, with any names. */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT\w*)|PORT(?:_\d+_(?:TCP|UDP)\w*)?)$/u

const chainSettingNames = Object.keys(settings).filter((name) => name.endsWith(PER_CHAIN))
const names: ReadonlySet<string> = new Set([
  ...Object.keys(settings).filter((name) => !name.endsWith(PER_CHAIN)),
  ...chainSettingNames.flatMap((name) => evmChainIds.map((id) => name.replace(PER_CHAIN, String(id))))
])

/** Returns the maximum edit distance. It is lower for short names, because they are close to unrelated names. */
const maxEditDistance = (name: string): number => (name.length >= 10 ? 2 : name.length >= 5 ? 1 : 0)

const nearestName = (name: string, candidates: ReadonlySet<string>): string | null => {
  const nearCandidates = [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= maxEditDistance(candidate))
    .sort((a, b) => a.distance - b.distance)
  return nearCandidates[0]?.candidate ?? null
}

const chainList = chains.flatMap(({ id, name }) => (id === 0 ? [] : [`${id} (${name})`])).join(", ")

const hasUnsupportedChain = (name: string): boolean =>
  chainSettingNames.some((settingName) => name.startsWith(settingName.replace(PER_CHAIN, "")))

/**
 * An environment variable that is probably meant for Countersign, but is not a setting. `expected` completes the
 * message "NAME is not …".
 */
export interface UnknownSetting {
  readonly name: string
  readonly expected: string
}

/**
 * Finds names in an environment that are probably misspelled settings: names with a Countersign prefix, and names that
 * differ by one or two letters from a setting that is not set itself. All other names belong to other programs.
 */
export const unknownSettings = (environment: Iterable<string>): ReadonlyArray<UnknownSetting> => {
  const environmentNames = new Set(environment)
  const unsetNames = new Set([...names].filter((name) => !environmentNames.has(name)))
  return [...environmentNames].flatMap((name): ReadonlyArray<UnknownSetting> => {
    if (names.has(name) || SERVICE_LINK.test(name)) return []
    const suggestion = nearestName(name, unsetNames)
    if (hasUnsupportedChain(name))
      return [{ name, expected: `a setting, because the chain is not supported. Supported chains: ${chainList}` }]
    if (suggestion !== null) return [{ name, expected: `a setting (did you mean ${suggestion}?)` }]
    return OUR_PREFIXES.test(name) ? [{ name, expected: "a setting" }] : []
  })
}
