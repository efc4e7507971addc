/**
 * An interest rate model for Morpho Blue markets, based on the formulas that Morpho publishes for its AdaptiveCurveIRM
 * (docs.morpho.org, "Interest Rate Model"), with the same constants, functions and event. It is reimplemented here
 * because Morpho's contract is not on npm. Rates are per second and scaled by 10^18.
 */
export const adaptiveCurveIrmSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

import {IIrm} from "@morpho-org/morpho-blue/src/interfaces/IIrm.sol";
import {Id, Market, MarketParams} from "@morpho-org/morpho-blue/src/interfaces/IMorpho.sol";
import {MarketParamsLib} from "@morpho-org/morpho-blue/src/libraries/MarketParamsLib.sol";

contract AdaptiveCurveIrm is IIrm {
    using MarketParamsLib for MarketParams;

    event BorrowRateUpdate(Id indexed id, uint256 avgBorrowRate, uint256 rateAtTarget);

    int256 internal constant WAD = 1e18;
    int256 internal constant LN_2 = 0.693147180559945309e18;
    int256 public constant TARGET_UTILIZATION = 0.9e18;
    int256 public constant CURVE_STEEPNESS = 4e18;
    int256 public constant ADJUSTMENT_SPEED = 50e18 / int256(365 days);
    int256 public constant INITIAL_RATE_AT_TARGET = 0.04e18 / int256(365 days);
    int256 public constant MIN_RATE_AT_TARGET = 0.001e18 / int256(365 days);
    int256 public constant MAX_RATE_AT_TARGET = 2e18 / int256(365 days);

    address public immutable MORPHO;
    mapping(Id => int256) public rateAtTarget;

    constructor(address morpho) {
        MORPHO = morpho;
    }

    function borrowRateView(MarketParams memory params, Market memory market) external view returns (uint256) {
        (uint256 rate,) = _rates(params.id(), market);
        return rate;
    }

    function borrowRate(MarketParams memory params, Market memory market) external returns (uint256) {
        require(msg.sender == MORPHO, "not Morpho");
        Id id = params.id();
        (uint256 rate, int256 endRateAtTarget) = _rates(id, market);
        rateAtTarget[id] = endRateAtTarget;
        emit BorrowRateUpdate(id, rate, uint256(endRateAtTarget));
        return rate;
    }

    /// The average rate since the market's last update, and the rate at target now.
    function _rates(Id id, Market memory market) private view returns (uint256, int256) {
        int256 supplied = int256(uint256(market.totalSupplyAssets));
        int256 utilization = supplied == 0 ? int256(0) : int256(uint256(market.totalBorrowAssets)) * WAD / supplied;
        int256 room = utilization > TARGET_UTILIZATION ? WAD - TARGET_UTILIZATION : TARGET_UTILIZATION;
        int256 error = (utilization - TARGET_UTILIZATION) * WAD / room;

        int256 start = rateAtTarget[id];
        int256 end = start;
        int256 average = start;
        if (start == 0) {
            average = INITIAL_RATE_AT_TARGET;
            end = INITIAL_RATE_AT_TARGET;
        } else {
            int256 adaptation = ADJUSTMENT_SPEED * error / WAD * int256(block.timestamp - market.lastUpdate);
            if (adaptation != 0) {
                end = _adapted(start, adaptation);
                // Approximates the average rate over the elapsed time with the trapezoidal rule and the midpoint.
                average = (start + end + 2 * _adapted(start, adaptation / 2)) / 4;
            }
        }
        int256 steepness = error < 0 ? WAD - WAD * WAD / CURVE_STEEPNESS : CURVE_STEEPNESS - WAD;
        return (uint256((steepness * error / WAD + WAD) * average / WAD), end);
    }

    function _adapted(int256 start, int256 adaptation) private pure returns (int256) {
        int256 rate = start * _exp(adaptation) / WAD;
        if (rate < MIN_RATE_AT_TARGET) return MIN_RATE_AT_TARGET;
        return rate > MAX_RATE_AT_TARGET ? MAX_RATE_AT_TARGET : rate;
    }

    /// e^x as 2^q * e^r with |r| at most ln(2) / 2, and e^r to the second order.
    function _exp(int256 x) private pure returns (int256) {
        if (x < -41e18) return 0;
        if (x > 93e18) x = 93e18;
        int256 q = (x + (x < 0 ? -LN_2 / 2 : LN_2 / 2)) / LN_2;
        int256 r = x - q * LN_2;
        int256 expR = WAD + r + r * r / WAD / 2;
        return q >= 0 ? expR << uint256(q) : expR >> uint256(-q);
    }
}
`
