/*
 * A public test vector of hiero-cryptography (SPDX-License-Identifier: Apache-2.0), generation 1: no real block with
 * this form is known (contracts/streams.md section 18.1).
 */

const WRAPS_PROOF =
  'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAAAAAB3cSKDr3idgerJWIvyKSS/HuDAV+k44yf5rIIjL9oUKmKwC' +
  'uCOT4BxpnK1b93I47MI3gI62++7LQYHtIVwdziICAAAAAAAAAB3cSKDr3idgerJWIvyKSS/HuDAV+k44yf5rIIjL9oUKmKwCuCOT' +
  '4BxpnK1b93I47MI3gI62++7LQYHtIVwdziICAAAAAAAAAKDKp/Wcs4eiWOTeEL1eyjMemb8BzjhGLgFncg7ZgVcmAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAEACAAAAAAAAAFQWM/SSM6HyNPKY9gw1VkVWnBIVeoJcTgeTi+pd80eOAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAEAHfBmNg3wCGlQJlE+GYLVmbFC6V77AvxWDqpFvYi9po+z9x/eCIhPgkKwwTCGoKInH1g3YUxOi' +
  's5w/Go/nE80DiWXx4RpbNXjVTTmYLEpbHZ5m7zTEVJ6VHDyDf1RR3hJ4nF28SG652J+lOZdGru1Pigo4BIlzB945klUCcG7wCAk5' +
  'Tw9ZLYkw7FrKMO+bdCXocOMRG370IJkFViK11XgSljoi2QNdJH4VXzQtRtUAaXeHl4MUWjJSmT2ykwEqCxoZv6LMV6bGLdryevol' +
  '+3pvSfm23gOOes0JLDajmjpNAsA2DUm9gk3AcjLPs8oa7c22zyYVVTNDqv7ojvpwKn6qohXbRAjaNZS/jpg5rt3NVKEqfLD5j2Vd' +
  '3MDrt5EkECOJ9xJ4TSkrVPZvma1VjeXBAAAAAAAAAAAAAAAAAAAAAH6qpMQDahaLfOpBx4VsG8+QOn5qEvZZdLkhL6A7zDkD0v7P' +
  'PGJ9hO6j0i7lW4s238culAWf1VH+BybZC08fQyo=';
const VERIFICATION_KEY =
  'CAAAAAAAAADmBgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABfx06cxl9eUJpVjjE+prA/DaIxPl3S5BaFOOj8XG6xYbFXo' +
  'P/l6Gu/7OvAK2yLGuwiz9IHjqqDxoJ4w7XQdiuT89eCV1dAK9gDbGMssBLPt0DzHRKKIiuQMqiMpRsXn4RPgK2BScZ9gfazToIgn' +
  'T2VZa9DQmSC2GrXaYbvcf1BJM0zxEhOUXVflrH0FXQQrfgJKorLwjwqRJggFJy3FEFHG5HrU+kA7ArRRC2R649F3C6wDJqgFu+/U' +
  'gFbIwSG9uAYGxKAupzTMMqzSsCvCi5nLPih+hadjryZ0kqtXLpmrPzcNJ1zsHaGqqQdf8F95vgzl1SdyfW4RjMnNxtouNRqt/Zuq' +
  'jL3Tp21CmmlRYNEskjrJzDusoonhk1SGCLgoARhYTvJPn1dn3xnhpe3Rcv6lprcxeABAW/AgMm84bD2zCcEA+mT6M9XuTdZ4iOux' +
  'MwGUF5a97SU1olLizop3l21d1d2NQO5npDMdoODK3b3UNYwFIzOgjcD1PXuVl68uexVebD1sAfrGKLfoQLykqyXJ/Fe6/8rrhqbE' +
  'eG3EStovt+9e57B6VDG724I2ACRzKQ8qcbsd14d/yKl/R89QKqyjcovT4E8Y9jESkr70b1egwraQbOgCju01CE+zkUfE0w4Axwq6' +
  'nVMC7NjI9wYp+gOMVtkxOfLKsAVpSSrSFymdko4+9otvYh/A/49MbjjfJwx9QB8p9K2CYIsF31odtrjl8hduFIzhJxo5sc8wbBW1' +
  '8sr9fwuSRv+L5ZzPfDgjNRNJwD3rFjMNhP9JKKvodXiT8+evLdEXJ9cA4LBvRd9Wg8sfA+ghfcpLz9Zto1h7VAKaTXUyl/iLTx1R' +
  'O29++mnpoo/YgM2gxtmJXT0h4Lkb2Wezft7efak0r8f3B/bcnAp/kW3O7qM0ETnZr4w22c9Fwk0dYf9Cu1YLDApFB7On84s5Iq/7' +
  'BC+dUeC/m4dmzQQiDKV9vbCK2cRBG+RnCBG5L6p58RcLVOy0qIJkf9VadA4odfTC8NwlNS3mbkeMlhGNpb3NfD+eUDDwDIyoDL5J' +
  'bWYkG8u34uXmcoOGPllbyz1seryy4uPceFD67b6zNg/eOvREhRUXeb/0EXQZ6aHqERSk4qJTQNpm1RG9fRx77DJgb/G34RcaBvXm' +
  '6fkShRBKzMtkJvxFQwEGUnzzENYixINhn/8lo+suRjMXnuA2gwZCQyG3rgnoOytedAne6Qk0tgOu1YLInSbkjAPk3i1rF65KLfuI' +
  '++oRpCUWC2PwOEr2Y7g7jLhsR76/IiLjJgLCNRwiqpnOYwnbzQwE/xaLTByNz/J/KFfRzQTl1//znlMBZbD6oog1BGzQ3IrNRgVr' +
  'QhxvR0C7qsLTAkGGSJMN1j3z2tVNV5S0X5R0xQLDiL2xs98vCMLc0XX7VORUuQ==';

/** A WRAPS proof that holds with the WRAPS key that `blocks-0.78` publishes, the key of the library. */
export const libraryWrapsProof = {
  proof: new Uint8Array(Buffer.from(WRAPS_PROOF, 'base64')),
  verificationKey: new Uint8Array(Buffer.from(VERIFICATION_KEY, 'base64')),
  ledgerId: new Uint8Array(
    Buffer.from('1ddc48a0ebde27607ab25622fc8a492fc7b83015fa4e38c9fe6b2088cbf6850a', 'hex'),
  ),
};
