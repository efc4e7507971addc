import { accountContracts, acrossOrNull, deployments } from "@countersign/adapters/chains/deployments"
import { assert, describe, it } from "@effect/vitest"
import { chains, entryPoints, permit2, safe } from "../../src/verify/contracts.ts"
import { spokePools } from "../../src/verify/spokePools.ts"

/**
 * Compares the verifier's list of addresses with the service's. The verifier has its own, so that it takes no address
 * from the service.
 */

/** Returns all addresses whose field name contains "router". */
const routersOf = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        /router/iu.test(name) && typeof inner === "string" ? [inner] : routersOf(inner)
      )

describe("the public addresses", () => {
  it("are those of the service, on every chain", () => {
    assert.sameMembers(
      Object.keys(chains).map(Number),
      deployments.map(({ chainId }) => chainId)
    )
    for (const deployment of deployments) {
      const knownContracts = chains[deployment.chainId]!
      assert.strictEqual<string>(knownContracts.wrapped, deployment.wrappedNative.address)
      assert.strictEqual<string>(permit2, deployment.permit2)
      assert.strictEqual<string>(knownContracts.positionManager, deployment.uniswapV3.nonfungiblePositionManager)
      const routers = routersOf(deployment)
      assert.isAbove(routers.length, 0)
      const across = acrossOrNull(deployment.chainId)
      assert.strictEqual<string | undefined>(spokePools[deployment.chainId]?.pool, across?.spokePool)
      assert.strictEqual<string | undefined>(spokePools[deployment.chainId]?.handler, across?.multicallHandler)
      assert.deepStrictEqual<object | undefined>(spokePools[deployment.chainId]?.tokens, across?.tokens)
      assert.includeMembers(Object.keys(knownContracts.routers), [...routers], `chain ${deployment.chainId}`)
    }
  })

  it("are those of the accounts", () => {
    assert.deepStrictEqual<Record<string, string>>(entryPoints, {
      "0.7": accountContracts.entryPoint07,
      "0.8": accountContracts.entryPoint08
    })
    assert.deepStrictEqual<Record<string, string>>(safe, {
      singleton: accountContracts.safeSingletonL2,
      module: accountContracts.safe4337Module,
      moduleSetup: accountContracts.safeModuleSetup,
      multiSend: accountContracts.multiSend
    })
  })
})
