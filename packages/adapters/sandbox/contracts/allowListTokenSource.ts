/**
 * A token of a real-world asset. Sender and receiver of a transfer must be on its allow-list, whose functions are those
 * of Ondo's contract (ondoprotocol/usdy, contracts/usdy/allowlist). Contracts are not exempt. Any account can mint the
 * token.
 */
export const allowListTokenSource = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

contract AllowListToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AccountAddedSelf(address indexed account, uint256 indexed termIndex);
    event AccountStatusSetByAdmin(address indexed account, uint256 indexed termIndex, bool status);

    error NotAllowed(address account);
    error AlreadyVerified();
    error InvalidTermIndex();
    error OnlyAdmin();

    uint256 internal constant TERM = 0;

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    address public immutable admin;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isAllowed;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address admin_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        admin = admin_;
    }

    function allowlist() external view returns (address) {
        return address(this);
    }

    function getValidTermIndexes() external pure returns (uint256[] memory indexes) {
        indexes = new uint256[](1);
        indexes[0] = TERM;
    }

    function addSelfToAllowlist(uint256 termIndex) external {
        if (termIndex != TERM) revert InvalidTermIndex();
        if (isAllowed[msg.sender]) revert AlreadyVerified();
        isAllowed[msg.sender] = true;
        emit AccountAddedSelf(msg.sender, termIndex);
    }

    function setAccountStatus(address account, uint256 termIndex, bool status) external {
        if (msg.sender != admin) revert OnlyAdmin();
        if (termIndex != TERM) revert InvalidTermIndex();
        isAllowed[account] = status;
        emit AccountStatusSetByAdmin(account, termIndex, status);
    }

    function mint(address account, uint256 amount) external returns (bool) {
        totalSupply += amount;
        balanceOf[account] += amount;
        emit Transfer(address(0), account, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) internal returns (bool) {
        if (!isAllowed[from]) revert NotAllowed(from);
        if (!isAllowed[to]) revert NotAllowed(to);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        return true;
    }
}
`
