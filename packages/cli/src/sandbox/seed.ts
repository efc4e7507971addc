import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DEMO_INDIVIDUAL, SandboxChains, sandboxTokens } from "@countersign/adapters/sandbox"
import { PRIVATE_FILE_MODE } from "@countersign/adapters/storage/files"
import { readSandboxFile, type SandboxFile, writeSandboxFile } from "@countersign/adapters/storage/home"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import { type Project, ProjectId, Projects, scopes } from "@countersign/core/tenancy/projects"
import { type AccountFactoryInfo, type SmartWalletView, Wallets } from "@countersign/core/wallets/registry"
import { DateTime, Effect, Option, Schema } from "effect"
import { registerBitcoinWallet, registerWallet } from "./registeredWallets.ts"

const fileOf = (home: string, chainId: EvmChainId): string => join(home, "chains", `${chainId}`, "funded-at-block")

/** Returns the block at which the demonstration wallets of a chain were funded. Null if they were not. */
const fundedBlockOrNull = (home: string, chainId: EvmChainId): number | null => {
  try {
    return Number(readFileSync(fileOf(home, chainId), "utf8"))
  } catch {
    return null
  }
}

/** Stores the block in the chain's data folder, so that both are deleted together. */
const writeFundedBlock = (home: string, chainId: EvmChainId, block: number): void =>
  writeFileSync(fileOf(home, chainId), `${block}`, { mode: PRIVATE_FILE_MODE })

/**
 * Returns whether the wallets are funded. A chain whose current block is lower was killed, and has restored a state
 * from before the funding.
 */
const isFundedAt = (fundedBlock: number | null, blockNumber: number): boolean =>
  fundedBlock !== null && fundedBlock > 0 && blockNumber >= fundedBlock

/** Chains on which the demonstration wallets are funded. */
const fundedChains: ReadonlyArray<EvmChainId> = [1, 8453]

const isProjectId = Schema.is(ProjectId)

/**
 * Returns the project and key of the last run if the key is still valid and has all scopes. Otherwise creates a key,
 * and a project if none exists.
 */
const projectAndKey = Effect.fnUntraced(function* (lastFile: SandboxFile | null) {
  const projects = yield* Projects
  const chains = yield* SandboxChains
  if (lastFile !== null && isProjectId(lastFile.project.id)) {
    const lastCaller = yield* Effect.option(projects.authenticate(lastFile.apiKey))
    // A key that an earlier version created may lack newer scopes.
    if (Option.isSome(lastCaller) && scopes.every((scope) => lastCaller.value.scopes.includes(scope)))
      return { project: lastCaller.value.project, apiKey: lastFile.apiKey }
  }
  const [existingProject] = yield* projects.list
  const project = existingProject ?? (yield* Effect.orDie(projects.create("Sandbox", chains.keys.treasury.address)))
  const { text } = yield* Effect.orDie(
    projects.createKey(project.id, { name: "sandbox", environment: "test", scopes, expiresAt: null })
  )
  return { project, apiKey: text }
})

/** Registers one wallet per account type, distributed among the owners. */
const registerDemoWallets = Effect.fnUntraced(function* (project: Project) {
  const wallets = yield* Wallets
  const { keys } = yield* SandboxChains
  const views: Array<{ readonly info: AccountFactoryInfo; readonly view: SmartWalletView }> = []
  for (const [i, info] of wallets.factories.entries()) {
    const owner = keys.owners[i % keys.owners.length]!
    const request = { owner: owner.address, factory: info.factory, salt: 0, eip7702: info.eip7702 }
    const view = yield* registerWallet(project, request, { demo: info.name })
    views.push({ info, view })
  }
  return views
})

/**
 * Registers one wallet per address type, with proof and public key. The first blocks of the chain pay bitcoins to them.
 */
const registerDemoBitcoinWallets = Effect.fnUntraced(function* (project: Project) {
  const { bitcoin } = yield* SandboxChains
  yield* Effect.forEach(bitcoin.wallets, (wallet) => registerBitcoinWallet(project, wallet, { demo: wallet.kind }), {
    discard: true
  })
})

/** Tops up each token to about ten thousand US dollars, and the native token to 10. */
const fund = Effect.fnUntraced(function* (chainId: EvmChainId, { account }: SmartWalletView) {
  const chains = yield* SandboxChains
  yield* chains.fundUpTo(chainId, account.address, "native", 10n * 10n ** 18n)
  for (const token of sandboxTokens(chainId)) {
    const amount = (10_000n * 10n ** 8n * 10n ** BigInt(token.decimals)) / token.priceUsd8
    yield* chains.fundUpTo(chainId, account.address, token.address, amount)
  }
})

/** Funds the wallets on chains where they are not funded yet, or where a kill has undone the funding. */
const fundMissing = Effect.fnUntraced(function* (home: string, views: ReadonlyArray<SmartWalletView>) {
  const chains = yield* SandboxChains
  for (const chainId of fundedChains) {
    if (isFundedAt(fundedBlockOrNull(home, chainId), yield* chains.blockNumber(chainId))) continue
    yield* Effect.forEach(views, (view) => fund(chainId, view), { discard: true })
    writeFundedBlock(home, chainId, yield* chains.blockNumber(chainId))
  }
})

/** Creates the sandbox's project, key and funded wallets. Writes them to a file, which scripts can read. */
export const seed = Effect.fnUntraced(function* (home: string, baseUrl: string) {
  const chains = yield* SandboxChains
  const { apiKey, project } = yield* projectAndKey(yield* readSandboxFile(home))
  const wallets = yield* registerDemoWallets(project)
  const verifiedAt = yield* DateTime.now
  yield* (yield* VerifiedIndividuals).verify(project.id, { id: IndividualId.make(DEMO_INDIVIDUAL), verifiedAt })
  yield* registerDemoBitcoinWallets(project)
  yield* fundMissing(
    home,
    wallets.map(({ view }) => view)
  )
  const file: SandboxFile = {
    baseUrl,
    apiKey,
    project: { id: project.id, name: project.name },
    owners: chains.keys.owners.map(({ address, privateKey }) => ({ address, privateKey })),
    wallets: wallets.map(({ view: { account } }) => ({
      walletAddress: account.address,
      externallyOwnedAccount: account.owner,
      factory: account.factory,
      salt: account.salt,
      eip7702: account.eip7702
    })),
    chains: evmChainIds.map((id) => ({ id, rpcUrl: chains.rpcUrl(id) })),
    tokens: Object.fromEntries(
      evmChainIds.map((id) => [
        String(id),
        Object.fromEntries(sandboxTokens(id).map(({ address, symbol }) => [symbol, address]))
      ])
    ),
    bitcoin: {
      network: "regtest",
      esploraUrl: chains.bitcoin.esploraUrl,
      wallets: chains.bitcoin.wallets.map(({ address, kind, privateKey, publicKey }) => ({
        walletAddress: address,
        kind,
        privateKey,
        publicKey
      }))
    },
    gatewayUrl: chains.gatewayUrl,
    paymasters: chains.paymasters,
    pid: process.pid
  }
  yield* writeSandboxFile(home, file)
  return { file, project, kinds: wallets.map(({ info }) => info.name) }
})
